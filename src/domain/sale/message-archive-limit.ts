/**
 * What bounds the archived messages of one invoice. They are kept packed, a thousandth of their length perhaps, and some
 * come from gateways: whoever unpacks them must know beforehand how much it can be.
 */
export const MESSAGE_ARCHIVE = {
  /** Of the XML of one message or answer, unpacked. The longest sale of `/v1` makes less; an answer has 64 KB. */
  textBytes: 1024 * 1024,
  /** Messages about one invoice that a server takes from a gateway: one each five minutes for 30 days are 8640. */
  messages: 10_000,
  /** Of these, such as have XML. A gateway keeps that of its first 20 attempts, and of the one that was confirmed. */
  messagesWithXml: 64,
  /** All XML that one answer holds, unpacked; the newest goes in first. */
  answerXmlBytes: 4 * 1024 * 1024,
  /** Errors in one answer, UTF-16 units, with `answerMessageLength` for the rest of each message; the newest go in first. */
  answerTextLength: 8 * 1024 * 1024,
  answerMessageLength: 300,
} as const
