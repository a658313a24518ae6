/** Work that never runs twice at once. @param work must not reject */
export function oneAtATime(work: () => Promise<void>) {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined

  function run(): Promise<void> {
    if (running) {
      following ??= running.then(() => {
        following = undefined
        return run()
      })
      return following
    }
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    /** Ends with a whole run that begins now, or after the one under way: all who ask meanwhile get the same one. */
    run,
    isRunning: () => running !== undefined,
    /** Another run begins when this one ends. */
    isFollowed: () => following !== undefined,
    /** Ends when everything has ended that was asked for so far. */
    ended: async () => following ?? running,
  }
}
