import PostalMime, { type Address } from 'postal-mime';
import { NodeError } from '../nodes/nodeError.ts';
import { readHtmlText } from './htmlText.ts';
import { formatMail } from './mailText.ts';

/** Returns the text of a mail (EML): its headers, its body and the names of its attachments. */
export async function readEmlText(bytes: Uint8Array): Promise<string> {
	const { from, to, cc, date, subject, text, html, headers, attachments } = await PostalMime.parse(bytes, {
		attachmentEncoding: 'arraybuffer',
	});
	if (headers.length === 0) {
		throw new NodeError("The document isn't an email: it doesn't start with headers", 'TextExtractionError');
	}
	return formatMail({
		from: from ? formatAddresses([from]) : '',
		to: formatAddresses(to ?? []),
		cc: formatAddresses(cc ?? []),
		...(date && { date }),
		subject: subject ?? '',
		body: text?.trim() || (html ? readHtmlText(html) : ''),
		files: attachments.map(({ filename }) => filename ?? ''),
	});
}

function formatAddresses(list: readonly Address[]): string {
	return list
		.map(({ name, address, group }) => {
			if (group) {
				return `${name}: ${formatAddresses(group)}`;
			}
			return name && address ? `${name} <${address}>` : (address ?? name);
		})
		.join(', ');
}
