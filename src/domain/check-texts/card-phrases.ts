/** Why nothing can be sold on a bad memory card, as the doctor and the status say it. */
export const CARD_PHRASES: Readonly<Record<string, string>> = {
  'the memory card or disk of {path} refuses to write': 'memorijska kartica ili disk s mapom {path} odbija pisanje',
  'the memory card or disk of {path} cannot be read': 'memorijska kartica ili disk s mapom {path} ne može se čitati',
  'restart the machine, and look for errors of the disk (dmesg)':
    'ponovno pokrenite računalo i provjerite pogreške diska (dmesg)',
  'a card that does it again is worn out: replace it, and restore the last backup, or with a central server: fisk replace':
    'ako se ponovi, kartica je istrošena: zamijenite je i vratite posljednju sigurnosnu kopiju, a sa središnjim poslužiteljem: fisk replace',
}
