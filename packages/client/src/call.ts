/** What an operation gives; `withResponse` gives the answer that it stood in besides. */
export interface Call<Result> extends Promise<Result> {
  withResponse(): Promise<{ data: Result; response: Response }>;
}
