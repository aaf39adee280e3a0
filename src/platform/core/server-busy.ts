/** Why a request failed that should be made again: the cause of a DOWNLOAD_UNREACHABLE whose server said when. */
export class ServerBusy extends Error {
  override readonly name = 'ServerBusy';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super(`asks for ${retryAfterMs / 1000} s of patience`);
    this.retryAfterMs = retryAfterMs;
  }
}
