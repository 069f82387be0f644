import { NodeError } from '../nodes/nodeError.ts';

/** The parts of a mail as strings. Empty parts are omitted from its text. */
export interface Mail {
	readonly from: string;
	readonly to: string;
	readonly cc: string;
	/** Date in ISO 8601 format. */
	readonly date?: string;
	readonly subject: string;
	readonly body: string;
	/** Names of the attachments. */
	readonly files: readonly string[];
}

/**
 * Formats a mail as text: sender, recipients, date and subject, then the body, then the names of the attachments.
 * @throws {NodeError} if the mail has none of these
 */
export function formatMail({ from, to, cc, date, subject, body, files }: Mail): string {
	const heads = Object.entries({ From: from, To: to, Cc: cc, Date: date, Subject: subject });
	const named = files.filter(name => name !== '');
	const text = [
		heads.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\n'),
		body,
		named.length > 0 ? `Attachments: ${named.join(', ')}` : '',
	].filter(part => part !== '');
	if (text.length === 0) {
		throw new NodeError("The document isn't an email: it has neither headers nor text", 'TextExtractionError');
	}
	return text.join('\n\n');
}
