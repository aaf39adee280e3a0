import type { Command, Executed } from '../../core/executor.ts';

export type LauncherRequest =
  | { readonly type: 'start'; readonly id: number; readonly command: Command; readonly isHeard: boolean }
  | { readonly type: 'kill'; readonly id: number };

export type LauncherReply =
  | { readonly type: 'ready' }
  | {
      readonly type: 'output';
      readonly id: number;
      readonly stream: 'stdout' | 'stderr';
      readonly base64: string;
    }
  | { readonly type: 'ended'; readonly id: number; readonly executed: Executed };
