import type { Mount } from '../../fiscal/ports/machine.ts'

/** Reads the lines of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). */
export function parseMounts(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [mount = '', system = ''] = line.split(' - ')
    const [, , , , path, own] = mount.split(' ')
    const [type, , shared = ''] = system.split(' ')
    if (!path || !own || !type) return []
    return [{ path: unescaped(path), type, options: [...own.split(','), ...shared.split(',')].map(unescaped) }]
  })
}

/** Blanks and backslashes are written in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
