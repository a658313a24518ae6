/**
 * The limits of an invoice's archived messages. They are stored compressed, perhaps to a thousandth of their length,
 * and some come from gateways, so the code that decompresses them needs a known maximum.
 */
export const MESSAGE_ARCHIVE = {
  /**
   * The XML of one message or answer, decompressed. The longest sale of `/v1` is shorter; an answer has at most 64 KB.
   */
  textBytes: 256 * 1024,
  /** Messages about one invoice that a server accepts from a gateway: one every five minutes for 30 days are 8640. */
  messages: 10_000,
  /** How many of these may have XML. A gateway keeps the XML of its first 20 attempts and of the confirmed one. */
  messagesWithXml: 64,
  /** The total XML in one answer, decompressed; the newest messages come first. */
  answerXmlBytes: 4 * 1024 * 1024,
  /**
   * The total error text in one answer, in UTF-16 units. After that, each message has `answerMessageLength`; the newest
   * come first.
   */
  answerTextLength: 4 * 1024 * 1024,
  answerMessageLength: 300,
} as const
