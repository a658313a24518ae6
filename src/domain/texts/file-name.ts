/** A name as a part of the name of a file: `Kava na klik d.o.o.` is `kava-na-klik-d-o-o`. */
export const fileNamePart = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('đ', 'd')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
