/** A line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). */
export interface Mount {
  path: string
  type: string
  /** Of this mount and of its file system, e.g. `ro`, `errors=remount-ro`. */
  options: string[]
}

export function parseMounts(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [mount = '', system = ''] = line.split(' - ')
    const [, , , , path, own] = mount.split(' ')
    const [type, , shared = ''] = system.split(' ')
    if (!path || !own || !type) return []
    return [{ path: unescaped(path), type, options: [...own.split(','), ...shared.split(',')].map(unescaped) }]
  })
}

/** The mount that a path lies on, links followed before: of two in one place the later one hides the other. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  const above = mounts.filter((mount) => `${path}/`.startsWith(mount.path === '/' ? '/' : `${mount.path}/`))
  return above.reduce<Mount | undefined>(
    (deepest, mount) => (deepest && deepest.path.length > mount.path.length ? deepest : mount),
    undefined,
  )
}

/** Blanks and backslashes are written in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
