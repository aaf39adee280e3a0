import type { PictureMaker } from '../../../charts/core/picture-maker.ts';
import type { Home, Task } from '../../../home/core/home.ts';
import type { HomeLayout } from '../../../home/core/layout.ts';
import type { Status } from '../../../home/core/status.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import type { CancelSignal } from '../../../platform/core/signal.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { NotifyPlace, SlackTransport } from '../../../publish/core/notices/notifier.ts';

/** What only built-in subsystems need of the world; loaded when one asks for it. */
export interface SubsystemTools {
  openSlack(place: NotifyPlace): Promise<SlackTransport>;
  openPictures(): Promise<PictureMaker>;
}

/** What a built-in subsystem works with. It finds results where scripts would: in the files of the home. */
export interface SubsystemWork {
  readonly home: Home;
  readonly layout: HomeLayout;
  readonly task: Task;
  /** Its config.json. */
  readonly config: JsonObject;
  /** Its own folder, kept from night to night. */
  readonly output: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: CancelSignal;
  readonly tools: SubsystemTools;
  randomSeed(): number;
  /** Why an experiment did not run this night, where nothing was wrong. */
  skipReason(task: Task): string | undefined;
}

export type BuiltInSubsystem = (work: SubsystemWork) => Promise<Status>;
