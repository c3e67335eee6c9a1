// What a tool finds. For editors; tgp itself never reads this file.
type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

declare const tgp: {
  /** The parameters of the docblock, as given. */
  readonly args: { readonly [name: string]: any };
  /** A variable that the configuration and @env both name. */
  env(name: string): string | undefined;
  /** The directories that may be written, absolute. */
  readonly dirs: readonly string[];
  log(...values: unknown[]): void;
  readonly fs: {
    read(path: string, options?: { encoding?: 'utf8' | 'base64' }): Promise<string>;
    /** Needs @effect local-write. */
    write(path: string, data: string, options?: { encoding?: 'utf8' | 'base64'; append?: boolean }): Promise<void>;
    list(path?: string): Promise<{ name: string; type: 'file' | 'dir' | 'link' | 'other' }[]>;
    stat(path: string): Promise<{ size: number; type: 'file' | 'dir' | 'link' | 'other'; mtime: number }>;
  };
  readonly db: {
    /** A query of the configuration by its name, or one statement with parameters. */
    query(query: string | { sql: string; params?: Plain }, params?: Plain): Promise<any[]>;
    /** The callback of drizzle's proxy drivers. */
    proxy(sql: string, params: any[], method: string): Promise<{ rows: any[] }>;
  };
  readonly http: {
    /** Needs @effect network and a signed @net. */
    fetch(url: string | URL, init?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<any>;
  };
};
