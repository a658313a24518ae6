import { describe, expect, test } from 'vitest'
import { parseMounts } from '../../../src/daemon/host/data-disk.ts'
import { judgeFileSystem } from '../../../src/fiscal/doctor/file-system.ts'
import { english } from '../../support/english.ts'

describe('where sales lie', () => {
  const overlay = (upper: string) =>
    parseMounts(
      `27 1 0:30 / / rw - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=${upper},workdir=/media/root-rw/w\n` +
        '30 27 0:31 / /media/root-rw rw - tmpfs tmpfs-root rw\n40 27 8:1 / /media/disk rw - ext4 /dev/sda1 rw\n',
    )

  test.each([
    ['/media/root-rw/overlay', 'root=PARTUUID=1', 'lost'],
    ['/media/disk/overlay', 'root=PARTUUID=1', 'fit'],
    ['/upper/data', 'boot=overlay root=PARTUUID=1', 'lost'],
    ['/upper/data', 'overlayroot=tmpfs:recurse=0', 'lost'],
    ['/var/lib/docker/overlay2/1/diff', '', 'unknown'],
  ])('an overlay whose upper layer is %s (kernel: %s) is %s', (upper, cmdline, is) => {
    expect(judgeFileSystem('/var/lib/fiskd', overlay(upper), cmdline)).toMatchObject({ is })
  })

  test('a disk mounted for the data counts, not the one below; of two in one place the later one', () => {
    const mounts = parseMounts(
      '1 0 0:1 / / rw - tmpfs none rw\n2 1 8:1 / /var/lib/my\\040data rw - vfat a rw\n3 2 8:2 / /var/lib/my\\040data rw - xfs b rw\n',
    )
    expect(english(judgeFileSystem('/var/lib/my data', mounts, ''))).toEqual({
      is: 'fit',
      why: 'xfs, mounted at /var/lib/my data',
    })
    expect(judgeFileSystem('/var/lib/my data set', mounts, '')).toMatchObject({ is: 'lost' })
  })
})
