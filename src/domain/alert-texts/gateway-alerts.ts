import type { WordsOfKinds } from './alert-facts.ts'

/** Gateways of a central server. */
export const gatewayWords = {
  gateway_silent: {
    hr: (facts) => ({
      title: `Pristupnik se ne javlja (${facts.gateway})`,
      what:
        `Pristupnik ${facts.gateway} ne javlja se dulje od 15 minuta. Možda i dalje prodaje.` +
        (facts.number('without_jir') > 0
          ? ` Ima račune koje Porezna uprava nije potvrdila: ${facts.number('without_jir')}. Njihov rok teče.`
          : ''),
      todo: 'Provjerite ima li struje i internetske veze.',
    }),
    en: (facts) => ({
      title: `A gateway has not been heard of (${facts.gateway})`,
      what:
        `The gateway ${facts.gateway} has not been heard of for more than 15 minutes. It may go on selling.` +
        (facts.number('without_jir') > 0
          ? ` It has sales that the tax authority has not confirmed: ${facts.number('without_jir')}. Their time runs out.`
          : ''),
      todo: 'Check its power and its internet connection.',
    }),
  },
  gateway_duplicated: {
    hr: ({ gateway }) => ({
      title: `Dva računala koriste identitet istog pristupnika (${gateway})`,
      what: `Dva se računala predstavljaju kao pristupnik ${gateway}. Podaci se ne primaju ni od jednog.`,
      todo: 'Zamolite tehničara da jedno isključi, a drugo ponovno prijavi.',
    }),
    en: ({ gateway }) => ({
      title: `Two machines use the identity of one gateway (${gateway})`,
      what: `Two machines say that they are the gateway ${gateway}. Nothing is taken from either of them.`,
      todo: 'Have your technician switch one of them off and enrol the other one anew.',
    }),
  },
  sync_refused: {
    hr: ({ gateway }) => ({
      title: `Zapisi pristupnika su odbijeni (${gateway})`,
      what: `Nešto što je poslao pristupnik ${gateway} ovdje se nije moglo spremiti. Kod njega je sačuvano.`,
      todo: 'Otvorite taj pristupnik pod Pristupnici: ondje piše koji su to zapisi i zašto su odbijeni.',
    }),
    en: ({ gateway }) => ({
      title: `Records of a gateway were refused (${gateway})`,
      what: `Something that the gateway ${gateway} has sent could not be stored here. It keeps it itself.`,
      todo: 'Look at the gateway under Gateways: it says which records these are and why.',
    }),
  },
} satisfies Partial<WordsOfKinds>
