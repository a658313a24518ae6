import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inLoadOrder } from '../../scripts/machine/modules.ts'
import { tempDir } from '../support/temp-dir.ts'

/** What depmod wrote for a kernel of Debian, in part. */
const LIST = `kernel/fs/ext4/ext4.ko.xz: kernel/lib/crc16.ko.xz kernel/fs/mbcache.ko.xz kernel/fs/jbd2/jbd2.ko.xz
kernel/fs/jbd2/jbd2.ko.xz:
kernel/fs/mbcache.ko.xz:
kernel/lib/crc16.ko.xz:
kernel/drivers/net/virtio_net.ko.xz: kernel/drivers/net/net_failover.ko.xz kernel/net/core/failover.ko.xz
kernel/drivers/net/net_failover.ko.xz: kernel/net/core/failover.ko.xz
kernel/net/core/failover.ko.xz:
kernel/drivers/char/hw_random/virtio-rng.ko.xz:
`

async function listed(): Promise<string> {
  const dir = await tempDir()
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'modules.dep'), LIST)
  return dir
}

test('a module is loaded after all that it needs, and each only once', async () => {
  const files = inLoadOrder(await listed(), ['virtio_net', 'ext4', 'jbd2'])
  expect(files).toEqual([
    'kernel/net/core/failover.ko.xz',
    'kernel/drivers/net/net_failover.ko.xz',
    'kernel/drivers/net/virtio_net.ko.xz',
    'kernel/fs/jbd2/jbd2.ko.xz',
    'kernel/fs/mbcache.ko.xz',
    'kernel/lib/crc16.ko.xz',
    'kernel/fs/ext4/ext4.ko.xz',
  ])
})

test('a name is that of the kernel, whatever the file is called; one that is part of the kernel is left out', async () => {
  const files = inLoadOrder(await listed(), ['virtio_rng', 'virtio_pci'])
  expect(files).toEqual(['kernel/drivers/char/hw_random/virtio-rng.ko.xz'])
})
