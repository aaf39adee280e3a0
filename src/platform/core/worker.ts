export interface Worker {
  readonly host: string;
  readonly pid: number;
  readonly incarnation: string;
}
