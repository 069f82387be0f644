import PostalMime, { type Address } from 'postal-mime';
import { NodeError } from '../nodes/nodeType.ts';
import { htmlText } from './htmlText.ts';
import { mailText } from './mailText.ts';

/** Returns the text of a mail (EML): its headers, its body and the names of its attachments. */
export async function emlText(bytes: Uint8Array): Promise<string> {
	const { from, to, cc, date, subject, text, html, headers, attachments } = await PostalMime.parse(bytes, {
		attachmentEncoding: 'arraybuffer',
	});
	if (headers.length === 0) {
		throw new NodeError("The document isn't an email: it doesn't start with headers", 'TextExtractionError');
	}
	return mailText({
		from: from ? addresses([from]) : '',
		to: addresses(to ?? []),
		cc: addresses(cc ?? []),
		...(date && { date }),
		subject: subject ?? '',
		body: text?.trim() || (html ? htmlText(html) : ''),
		files: attachments.map(({ filename }) => filename ?? ''),
	});
}

function addresses(list: readonly Address[]): string {
	return list
		.map(({ name, address, group }) => {
			if (group) {
				return `${name}: ${addresses(group)}`;
			}
			return name && address ? `${name} <${address}>` : (address ?? name);
		})
		.join(', ');
}
