/** The companies and machines on the pictures. None of them exists; the OIBs have correct check digits. */
export const COMPANIES = {
  kava: {
    name: 'Kava na klik d.o.o.',
    oib: '02994650199',
    address: { street: 'Ilica 42', city: 'Zagreb', postal_code: '10000' },
    fiscal_config: { default_vat_rate: '25.00', default_vat_base: 'taxable' },
  },
  more: {
    name: 'Morski automati d.o.o.',
    oib: '18683136487',
    address: { street: 'Korzo 7', city: 'Rijeka', postal_code: '51000' },
    fiscal_config: { default_vat_rate: '13.00', default_vat_base: 'taxable' },
  },
} as const
export type CompanyName = keyof typeof COMPANIES

export interface MachineOrder {
  label: string
  premises_code: string
  premises_address: string
  /** Null until the tax authority has issued it. */
  isu_number: string | null
}

export interface Town {
  name: string
  company: CompanyName
  machines: MachineOrder[]
}

export const TOWNS = {
  zagreb: {
    name: 'Zagreb',
    company: 'kava',
    machines: [
      machine('Kavomat Glavni kolodvor', 'GLKOL', 'Trg kralja Tomislava 12, Zagreb', '10031'),
      machine('Kavomat Arena', 'ARENA', 'Ulica Vice Vukova 6, Zagreb', '10032'),
      machine('Snack automat Rebro', 'REBRO', 'Kišpatićeva 12, Zagreb', '10033'),
      machine('Sokomat Jarun', 'JARUN', 'Aleja Matije Ljubeka 3, Zagreb', null),
    ],
  },
  split: {
    name: 'Split',
    company: 'kava',
    machines: [
      machine('Kavomat trajektna luka', 'LUKA', 'Gat sv. Duje 1, Split', '10041'),
      machine('Snack automat Poljud', 'POLJUD', '8. mediteranskih igara 2, Split', '10042'),
    ],
  },
  rijeka: {
    name: 'Rijeka',
    company: 'more',
    machines: [
      machine('Kavomat Korzo', 'KORZO', 'Korzo 31, Rijeka', '20051'),
      machine('Ledomat Tower', 'TOWER', 'Janka Polića Kamova 81a, Rijeka', '20052'),
    ],
  },
} satisfies Record<string, Town>

function machine(label: string, premises_code: string, premises_address: string, isu_number: string | null) {
  return { label, premises_code, premises_address, isu_number }
}

const GOODS = [
  ['Espresso', '1.20'],
  ['Bijela kava', '1.50'],
  ['Čokolada', '1.60'],
  ['Voda 0,5 l', '1.10'],
  ['Sendvič', '3.40'],
  ['Keks', '0.90'],
] as const

/** The n-th sale of a machine: always the same ones, so that pictures differ by what was changed. */
export function saleOf(deviceId: string, n: number): Record<string, unknown> {
  const [name, price] = GOODS[(n * 7 + deviceId.charCodeAt(0)) % GOODS.length] ?? GOODS[0]
  const items = [{ name, quantity: '1', unit_price: price, amount: price }]
  return { device_id: deviceId, total: price, payment_method: n % 3 === 0 ? 'G' : 'K', items }
}

/** How many coffees an hour of the day sells: people get up, go to work and come back. */
export function salesInHour(hour: number): number {
  return [0, 0, 0, 0, 1, 2, 4, 6, 5, 4, 3, 3, 4, 3, 3, 3, 4, 4, 3, 2, 2, 1, 1, 0][hour] ?? 0
}
