import { readHtmlText } from '../htmlText.ts';
import { formatMail, type Mail } from '../mailText.ts';
import { decodeText } from '../textDecoding.ts';
import { CompoundFile } from './compoundFile.ts';

/** Outlook's IDs of message properties (MS-OXPROPS). */
const properties = {
	subject: '0037',
	sender: '0C1A',
	senderAddress: '5D01',
	to: '0E04',
	cc: '0E03',
	body: '1000',
	html: '1013',
	fileName: '3707',
	shortFileName: '3704',
} as const;
const submitTime = 0x00390040;

/** Returns the text of an Outlook message (MSG), formatted like a mail. */
export function readMsgText(bytes: Uint8Array): string {
	const file = new CompoundFile(bytes);
	const html = file.readStream(`__substg1.0_${properties.html}0102`);
	const [sender, address] = [readProperty(file, properties.sender), readProperty(file, properties.senderAddress)];
	const date = readSubmitTime(file);
	const mail: Mail = {
		from: sender && address ? `${sender} <${address}>` : sender || address,
		to: readProperty(file, properties.to),
		cc: readProperty(file, properties.cc),
		...(date && { date }),
		subject: readProperty(file, properties.subject),
		body: readProperty(file, properties.body).trim() || (html ? readHtmlText(decodeText(html, '')) : ''),
		files: file
			.listStorageNames()
			.filter(name => name.startsWith('__attach_'))
			.map(name => readProperty(file, properties.fileName, name) || readProperty(file, properties.shortFileName, name)),
	};
	return formatMail(mail);
}

/** Reads a string property in either of its two storage forms. */
function readProperty(file: CompoundFile, property: string, ...storage: string[]): string {
	const wide = file.readStream(...storage, `__substg1.0_${property}001F`);
	const narrow = wide ? undefined : file.readStream(...storage, `__substg1.0_${property}001E`);
	const text = wide ? new TextDecoder('utf-16le').decode(wide) : narrow ? decodeText(narrow, '') : '';
	return text.replaceAll('\0', '');
}

/** Returns the submission time, a fixed-length property in units of 100 ns since 1601. */
function readSubmitTime(file: CompoundFile): string | undefined {
	const fixed = file.readStream('__properties_version1.0') ?? new Uint8Array();
	const view = new DataView(fixed.buffer, fixed.byteOffset, fixed.byteLength);
	for (let at = 32; at + 16 <= fixed.length; at += 16) {
		if (view.getUint32(at, true) === submitTime) {
			const date = new Date(Number(view.getBigUint64(at + 8, true) / 10_000n) - 11_644_473_600_000);
			return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
		}
	}
	return undefined;
}
