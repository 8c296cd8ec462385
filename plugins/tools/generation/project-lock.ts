const pending = new Map<string, Promise<unknown>>();

/** Lets one call at a time work on a project; other calls of this server wait. */
export async function oneAtATime<Result>(project: string, work: () => Promise<Result>): Promise<Result> {
  const before = pending.get(project) ?? Promise.resolve();
  const turn = before.then(work, work);
  const settled = turn.catch(() => undefined);
  pending.set(project, settled);
  try {
    return await turn;
  } finally {
    if (pending.get(project) === settled) pending.delete(project);
  }
}
