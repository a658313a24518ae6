/**
 * Counts the processor time of this process from now on, ms. For what must cost little: a busy machine makes the time on
 * the wall longer, and hardly this.
 */
export function processorTime(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
