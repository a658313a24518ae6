/** Work that never runs twice at once. */
export interface OneAtATime {
  /** Ends with a whole run that begins now, or after the one under way: all who ask meanwhile get the same one. */
  run(): Promise<void>
  isRunning(): boolean
  /** Another run begins when this one ends. */
  isFollowed(): boolean
  /** Ends when everything has ended that was asked for so far. */
  ended(): Promise<void>
}

/** @param work must not reject */
export function oneAtATime(work: () => Promise<void>): OneAtATime {
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
    run,
    isRunning: () => running !== undefined,
    isFollowed: () => following !== undefined,
    ended: async () => following ?? running,
  }
}
