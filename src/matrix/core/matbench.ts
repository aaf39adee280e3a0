/** What is to be done with the results of a finished test: the "matbench:" block of its configuration. */
export interface MatbenchBlock {
  /** A name (NAME.yaml has the plots and the addresses), or the address of results. */
  readonly preset: string | null;
  readonly workload: string;
  readonly configFile: string;
  readonly download: {
    readonly mode: string;
    readonly url: string | null;
    readonly urlFile: string | null;
    /** Copies what was fetched beside what is made of it. */
    readonly savesToArtifacts: boolean;
  };
  readonly testDirectory: string | null;
  readonly payloads: boolean;
  readonly horreumTest: string | null;
  readonly opensearch: {
    readonly instance: string | null;
    readonly index: string | null;
    readonly indexPrefix: string;
    readonly promIndexSuffix: string;
    readonly isExported: boolean;
    readonly isExportedOnReplot: boolean;
    readonly failsTest: boolean;
  };
  readonly regression: {
    readonly isEnabled: boolean;
    readonly failsTest: boolean;
    /** Folder of payloads, KPI file or home; null: the index of OpenSearch. */
    readonly history: string | null;
  };
}
