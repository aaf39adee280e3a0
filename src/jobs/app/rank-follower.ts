import { type EventBatch, EventReader, type JobException } from '../core/event-reader.ts';
import type { Job } from '../core/job.ts';
import type { ClaimKey } from '../core/job-queue.ts';
import { OutputLines } from '../core/output-lines.ts';
import type { Canceller, WorkEffects } from './work-effects.ts';

type Effects = Pick<
  WorkEffects,
  'queue' | 'disk' | 'clock' | 'metrics' | 'worker' | 'decoder' | 'md5' | 'canceller' | 'report'
>;

/** How often output and events go to the queue: often enough for readers, seldom enough for a thousand jobs. */
const FLUSH_MS = 500;
const PIECE_BYTES = 1024 * 1024;
/** Bounds the memory when a job prints faster than the queue stores; the output file has everything. */
const MAX_BUFFERED = 4 * 1024 * 1024;
/** Bounds the points that wait while metrics are unavailable. The rest stays in the file. */
const MAX_POINTS = 50_000;

/** Sends output and events of one rank to the queue, and its metrics to the metrics store. */
export class RankFollower {
  readonly #effects: Effects;
  readonly #claim: ClaimKey;
  readonly #job: Job;
  readonly #eventsFile: string;
  readonly #events: EventReader;
  readonly #decoder: ReturnType<Effects['decoder']>;
  readonly #output: OutputLines;
  #offset = 0;
  #points: string[] = [];
  #pointsLeft = 0;
  #isStopped = false;
  readonly #stopped: Canceller;
  #exception: JobException | undefined;
  #cancelledBy: string | undefined;
  #hasReported = false;
  #running: Promise<void> = Promise.resolve();
  #dropped = 0;

  constructor(
    job: Job,
    claim: ClaimKey,
    options: { readonly eventsFile: string; readonly effects: Effects },
  ) {
    const { effects } = options;
    this.#effects = effects;
    this.#claim = claim;
    this.#job = job;
    this.#eventsFile = options.eventsFile;
    this.#decoder = effects.decoder();
    this.#stopped = effects.canceller();
    this.#output = new OutputLines(claim.rank, () => effects.decoder());
    this.#events = new EventReader({
      job,
      rank: claim.rank,
      host: effects.worker.host,
      md5: (text) => effects.md5(text),
      now: () => effects.clock.now(),
    });
  }

  /** The exception that the program reported, if any. */
  get exception(): JobException | undefined {
    return this.#exception;
  }

  /** The signal that ended the program, if it reported one. */
  get cancelledBy(): string | undefined {
    return this.#cancelledBy;
  }

  takeOutput(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    if (this.#output.length > MAX_BUFFERED) this.#dropped += bytes.length;
    else this.#output.add(stream, bytes, this.#effects.clock.now());
  }

  start(): void {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#turn(false);
      if (!this.#isStopped) await this.#effects.clock.sleep(FLUSH_MS, this.#stopped.signal);
    }
  }

  /** The program has ended: the rest goes out. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.abort();
    await this.#running;
    await this.#turn(true);
    await this.#sendPoints();
    const left = this.#points.length + this.#pointsLeft;
    if (left > 0)
      this.#reportOnce(`${left} of its metrics could not be kept; they are in ${this.#eventsFile}`);
  }

  async #turn(isLast: boolean): Promise<void> {
    try {
      await this.#sendLogs(isLast);
      await this.#readEvents(isLast);
      await this.#sendPoints();
    } catch (error) {
      this.#reportOnce((error as Error).message);
    }
  }

  async #sendLogs(isLast: boolean): Promise<void> {
    const { queue, clock } = this.#effects;
    const now = clock.now();
    const entries = [...(isLast ? this.#output.finish(now) : this.#output.take())];
    if (this.#dropped > 0) {
      const message = `[${this.#dropped} bytes came too fast and are only in the file]`;
      entries.push({ worker: this.#claim.rank, type: 'info', message, time: now });
      this.#dropped = 0;
    }
    if (entries.length > 0) await queue.appendLogs(this.#claim, entries);
  }

  async #readEvents(isLast: boolean): Promise<void> {
    const { disk } = this.#effects;
    for (;;) {
      if (!isLast && this.#points.length >= MAX_POINTS) break;
      const bytes = (await disk.readFrom(this.#eventsFile, this.#offset, PIECE_BYTES)) ?? new Uint8Array();
      this.#offset += bytes.length;
      const isEnd = bytes.length < PIECE_BYTES;
      await this.#take(
        this.#events.read(this.#decoder.decode(bytes, { stream: !(isLast && isEnd) }), isLast && isEnd),
      );
      if (isEnd) break;
    }
    if (this.#events.refused > 0 && isLast)
      this.#reportOnce(
        `${this.#events.refused} lines of its events were invalid (${this.#events.firstRefusal})`,
      );
  }

  async #take({ news, points, exception, cancelledBy }: EventBatch): Promise<void> {
    this.#exception = exception ?? this.#exception;
    this.#cancelledBy = cancelledBy ?? this.#cancelledBy;
    for (const line of points)
      if (this.#points.length < 2 * MAX_POINTS) this.#points.push(line);
      else this.#pointsLeft++;
    if (Object.keys(news).length > 0) await this.#effects.queue.report(this.#claim, news);
  }

  async #sendPoints(): Promise<void> {
    if (this.#points.length === 0) return;
    const delivery = await this.#effects.metrics.send(this.#points);
    if (delivery.state === 'failed') return; // they are sent again
    this.#points = [];
    if (delivery.state === 'refused')
      this.#reportOnce(`some of its metrics were refused: ${delivery.message}`);
  }

  #reportOnce(message: string): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#effects.report({ type: 'problem', id: this.#job.id, message });
  }
}
