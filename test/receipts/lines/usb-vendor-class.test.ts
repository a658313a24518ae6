import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listVendorClassPrinters } from '../../../src/receipts/lines/usb-vendor-class.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A folder of sysfs with USB devices, each with the classes of its interfaces. */
async function sysfs(devices: Record<string, { vendor: string; product?: string; classes: string[] }>) {
  const folder = await tempDir()
  for (const [name, { vendor, product, classes }] of Object.entries(devices)) {
    const files: Record<string, string> = { [`${name}/idVendor`]: vendor, [`${name}/idProduct`]: '0202' }
    if (product) files[`${name}/product`] = product
    for (const [n, one] of classes.entries()) files[`${name}:1.${n}/bInterfaceClass`] = one
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), `${text}\n`)
    }
  }
  return folder
}

test('printers at USB that speak a protocol of their own are named with what to do', async () => {
  const found = await listVendorClassPrinters(
    await sysfs({
      '1-1': { vendor: '04b8', product: 'TM-T20II', classes: ['ff'] },
      '1-2.3': { vendor: '0519', classes: ['ff'] },
    }),
  )
  expect(found.map(({ name }) => name)).toEqual(['Epson TM-T20II', 'Star USB device 0202'])
  expect(found[0]).toMatchObject({
    problem: { en: expect.stringContaining('no driver') },
    fix: { en: expect.stringContaining('USB mode') },
  })
})

test('a printer class, a virtual serial port, and devices of other makers are none of them', async () => {
  const folder = await sysfs({
    '1-1': { vendor: '04b8', classes: ['07', 'ff'] },
    '1-2': { vendor: '0519', classes: ['02', '0a'] },
    '1-3': { vendor: '046d', classes: ['ff'] },
    usb1: { vendor: '1d6b', classes: ['09'] },
  })
  expect(await listVendorClassPrinters(folder)).toEqual([])
  expect(await listVendorClassPrinters(join(folder, 'none'))).toEqual([])
})
