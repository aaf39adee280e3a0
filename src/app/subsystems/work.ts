import type { Home, Task } from '../../core/model/home.ts';
import type { HomeLayout } from '../../core/model/layout.ts';
import type { Status } from '../../core/model/status.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { NotifyPlace } from '../../core/ports/notifier.ts';
import type { PictureMaker } from '../../core/ports/picture-maker.ts';
import type { SlackTransport } from '../../core/ports/slack-transport.ts';
import type { CancelSignal } from '../../core/signal.ts';
import type { JsonObject } from '../../core/text/json.ts';

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
