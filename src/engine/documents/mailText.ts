import { NodeError } from '../nodes/nodeType.ts';

/** A mail whose parts are texts; empty ones are left out. */
export interface Mail {
	readonly from: string;
	readonly to: string;
	readonly cc: string;
	/** As ISO 8601. */
	readonly date?: string;
	readonly subject: string;
	readonly body: string;
	/** Names of the files that came with it. */
	readonly files: readonly string[];
}

/** A mail as a text: who, to whom, when and about what; then what it says; then the names of its files. @throws {NodeError} for one without all of that */
export function mailText({ from, to, cc, date, subject, body, files }: Mail): string {
	const heads = Object.entries({ From: from, To: to, Cc: cc, Date: date, Subject: subject });
	const named = files.filter(name => name !== '');
	const text = [
		heads.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\n'),
		body,
		named.length > 0 ? `Attachments: ${named.join(', ')}` : '',
	].filter(part => part !== '');
	if (text.length === 0) {
		throw new NodeError('The document is no mail: it has neither headers nor a text', 'TextExtractionError');
	}
	return text.join('\n\n');
}
