import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

// Small documents of every kind, as common programs write them.

/** Creates a simple PDF (1.4) with these texts, one per page. A page without text only has lines, like a picture. */
export function createPdfFile(pages: readonly string[], trailer = ''): Uint8Array {
	const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
		...pages.flatMap((text, index) => {
			const shown = text.replaceAll(/[\\()]/g, '\\$&').split('\n');
			const drawn = text === '' ? '0 0 m 100 100 l S' : `BT /F1 24 Tf 72 720 Td 28 TL ${shown.map(line => `(${line}) Tj T*`).join(' ')} ET`;
			return [
				`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
				`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
			];
		}),
	];
	let fileText = '%PDF-1.4\n';
	const places = objects.map((object, index) => {
		const place = fileText.length;
		fileText += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(place).padStart(10, '0')} 00000 n \n`;
	});
	const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
	return strToU8(
		`${fileText}${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${fileText.length}\n%%EOF\n`,
		true,
	);
}

/** Creates a PDF with one page whose compressed content is short in the file and long in memory. */
export function createPackedPdf(content: Buffer): Buffer {
	const packed = deflateSync(content);
	const [before = '', after = ''] = Buffer.from(createPdfFile(['#']))
		.toString('latin1')
		.split(/<< \/Length \d+ >>\nstream\n[\s\S]*?\nendstream/);
	const stream = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
	return Buffer.concat([Buffer.from(before + stream, 'latin1'), packed, Buffer.from(`\nendstream${after}`, 'latin1')]);
}

/** Creates an archive of these files. */
export function createZipFile(files: Readonly<Record<string, string>>): Uint8Array {
	return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const createRelationships = (targets: Readonly<Record<string, string>>) =>
	`${head}<Relationships>${Object.entries(targets)
		.map(([id, target]) => `<Relationship Id="${id}" Type="x" Target="${target}"/>`)
		.join('')}</Relationships>`;

/**
 * Creates a workbook of sheets, each the XML of its rows. `texts`: the shared texts; `formats`: number formats of the styles, by number.
 */
export function createXlsxFile(
	sheets: Readonly<Record<string, string>>,
	{
		texts = [],
		formats = [],
		workbook = '',
	}: { texts?: readonly string[]; formats?: readonly (number | string)[]; workbook?: string } = {},
): Uint8Array {
	const names = Object.keys(sheets);
	const custom = formats.map((format, index) =>
		typeof format === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${format}"/>` : '',
	);
	const styles = formats.map((format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`);
	return createZipFile({
		'xl/workbook.xml': `${head}<workbook xmlns:r="r">${workbook}<sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
		// the order of sheets in the archive differs from that in the workbook
		'xl/_rels/workbook.xml.rels': createRelationships(
			Object.fromEntries(names.map((_, i) => [`rId${i + 1}`, `worksheets/sheet${names.length - i}.xml`])),
		),
		'xl/sharedStrings.xml': `${head}<sst>${texts.map(text => `<si>${text}</si>`).join('')}</sst>`,
		'xl/styles.xml': `${head}<styleSheet><numFmts>${custom.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
		...Object.fromEntries(
			Object.values(sheets).map((rows, i) => [
				`xl/worksheets/sheet${names.length - i}.xml`,
				`${head}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
			]),
		),
	});
}

/** Creates a presentation of slides, each the XML of its shapes' texts, shown in this order. */
export function createPptxFile(slides: readonly string[]): Uint8Array {
	const getSlidePath = (index: number) => `slides/slide${slides.length - index}.xml`;
	return createZipFile({
		'ppt/presentation.xml': `${head}<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join('')}</p:sldIdLst><p:extLst><p:ext><p14:sectionLst><p14:section name="All"><p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>`,
		'ppt/_rels/presentation.xml.rels': createRelationships(Object.fromEntries(slides.map((_, i) => [`rId${i + 1}`, getSlidePath(i)]))),
		...Object.fromEntries(
			slides.map((shapes, i) => [
				`ppt/${getSlidePath(i)}`,
				`${head}<p:sld><p:cSld><p:spTree><p:sp><p:txBody>${shapes}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
			]),
		),
	});
}

/** Creates a Word document with this body. */
export function createDocxFile(body: string): Uint8Array {
	return createZipFile({ 'word/document.xml': `${head}<w:document><w:body>${body}</w:body></w:document>` });
}

/** Creates an OpenDocument text with this body. */
export function createOdtFile(body: string, others: Readonly<Record<string, string>> = {}): Uint8Array {
	return createZipFile({
		mimetype: 'application/vnd.oasis.opendocument.text',
		'content.xml': `${head}<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
		...others,
	});
}

/** Creates a book of chapters by their names, each a whole page. `order`: the reading order. */
export function createEpubFile(
	chapters: Readonly<Record<string, string>>,
	order: readonly string[],
	others: Readonly<Record<string, string>> = {},
): Uint8Array {
	const names = Object.keys(chapters);
	return createZipFile({
		'META-INF/container.xml': `${head}<container><rootfiles><rootfile full-path="OPS/package.opf"/></rootfiles></container>`,
		'OPS/package.opf': `${head}<package><manifest>${names.map(name => `<item id="${name}" href="Text/${encodeURIComponent(name)}"/>`).join('')}</manifest><spine>${order.map(name => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
		...Object.fromEntries(names.map(name => [`OPS/Text/${name}`, chapters[name] as string])),
		...others,
	});
}

/** A mail with a text, the same text as HTML, and a file. */
export const mailFile = [
	'From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.test>',
	'To: Ana <ana@example.test>, team@example.test',
	'Subject: Plan',
	'Date: Sat, 31 Jan 2026 12:00:00 +0000',
	'MIME-Version: 1.0',
	'Content-Type: multipart/mixed; boundary="b"',
	'',
	'--b',
	'Content-Type: text/plain; charset=iso-8859-1',
	'Content-Transfer-Encoding: quoted-printable',
	'',
	'Caf=E9 at ten.',
	'--b',
	'Content-Type: application/pdf',
	'Content-Disposition: attachment; filename="plan.pdf"',
	'Content-Transfer-Encoding: base64',
	'',
	'JVBERg==',
	'--b--',
	'',
].join('\r\n');

const endOfChain = 0xfffffffe;
const none = 0xffffffff;

/** Creates a compound file (as written by Office before 2007 and Outlook) of these streams by path, with small ones in its mini stream. */
export function createCompoundFile(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
	const storages = [...new Set(Object.keys(streams).flatMap(path => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])))];
	const small = Object.entries(streams).filter(([, bytes]) => bytes.length < 4096);
	const padBytes = (bytes: Uint8Array, unit: number) => Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit)]);
	const mini = Buffer.concat(small.map(([, bytes]) => padBytes(bytes, 64)));
	const paths = ['', ...storages, ...Object.keys(streams)];
	const listPathsIn = (storage: string) =>
		paths.slice(1).filter(path => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '') === storage);
	const createChains = (lengths: readonly number[], first = 0) => {
		let at = first;
		return lengths.flatMap(length => {
			at += length;
			return Array.from({ length }, (_, index) => (index === length - 1 ? endOfChain : at - length + index + 1));
		});
	};
	const miniFat = createChains(small.map(([, bytes]) => Math.ceil(bytes.length / 64)));
	const large = Object.entries(streams).filter(([, bytes]) => bytes.length >= 4096);
	const parts = [
		Buffer.alloc(Math.ceil(paths.length / 4) * 512),
		padBytes(Buffer.from(Uint32Array.from(miniFat).buffer), 512),
		padBytes(mini, 512),
		...large.map(([, bytes]) => padBytes(bytes, 512)),
	];
	const sectors = parts.map(part => part.length / 512);
	const tables = Math.ceil((sectors.reduce((sum, count) => sum + count, 0) + 8) / 127);
	const starts = sectors.map((_, index) => tables + sectors.slice(0, index).reduce((sum, count) => sum + count, 0));
	const fat = new Uint32Array(tables * 128).fill(none);
	fat.set([...Array<number>(tables).fill(0xfffffffd), ...createChains(sectors, tables)]);
	const directory = parts[0] as Buffer;
	const neighbours = new Map(
		['', ...storages].flatMap(storage => listPathsIn(storage).map((path, index, all) => [path, all[index + 1]] as const)),
	);
	const getPathId = (path: string | undefined) => (path === undefined ? none : paths.indexOf(path));
	for (const [id, path] of paths.entries()) {
		const at = id * 128;
		const name = id === 0 ? 'Root Entry' : (path.split('/').at(-1) as string);
		directory.write(name, at, 'utf16le');
		directory.writeUInt16LE(name.length * 2 + 2, at + 0x40);
		directory.writeUInt8(id === 0 ? 5 : id <= storages.length ? 1 : 2, at + 0x42);
		directory.writeUInt32LE(none, at + 0x44);
		directory.writeUInt32LE(getPathId(neighbours.get(path)), at + 0x48);
		directory.writeUInt32LE(getPathId(id <= storages.length ? listPathsIn(path)[0] : undefined), at + 0x4c);
		const bytes = id === 0 ? mini : (streams[path] ?? new Uint8Array());
		const [among, before] = bytes.length < 4096 && id > 0 ? [small, 64] : [large, 0];
		const index = among.findIndex(([each]) => each === path);
		const start =
			id === 0
				? starts[2]
				: before === 0
					? starts[3 + index]
					: small.slice(0, index).reduce((sum, [, each]) => sum + Math.ceil(each.length / 64), 0);
		directory.writeUInt32LE(start ?? 0, at + 0x74);
		directory.writeUInt32LE(bytes.length, at + 0x78);
	}
	const header = Buffer.alloc(512);
	header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
	header.writeUInt16LE(9, 0x1e);
	header.writeUInt16LE(6, 0x20);
	header.writeUInt32LE(tables, 0x2c);
	header.writeUInt32LE(starts[0] as number, 0x30);
	header.writeUInt32LE(4096, 0x38);
	header.writeUInt32LE(starts[1] as number, 0x3c);
	header.writeUInt32LE(endOfChain, 0x44);
	for (let index = 0; index < 109; index++) {
		header.writeUInt32LE(index < tables ? index : none, 0x4c + index * 4);
	}
	return Uint8Array.from(Buffer.concat([header, Buffer.from(fat.buffer), ...parts]));
}

/** Creates a record of an Excel 97 workbook from its type and its parts. A number is given with its length in bytes. */
export function createBiffRecord(type: number, ...parts: readonly (Uint8Array | readonly [value: number, bytes: 1 | 2 | 4 | 8])[]): Buffer {
	const body = Buffer.concat(
		parts.map(part => {
			if (part instanceof Uint8Array) {
				return part;
			}
			const bytes = Buffer.alloc(part[1]);
			if (part[1] === 8) {
				bytes.writeDoubleLE(part[0]);
			} else {
				bytes.writeUIntLE(part[0], 0, part[1]);
			}
			return bytes;
		}),
	);
	const head = Buffer.alloc(4);
	head.writeUInt16LE(type, 0);
	head.writeUInt16LE(body.length, 2);
	return Buffer.concat([head, body]);
}

/** Creates an Outlook message with these properties (`0037`: its subject) and files, with a submission time. */
export function createMsgFile(properties: Readonly<Record<string, string>>, files: readonly string[] = []): Uint8Array {
	const encodeWide = (text: string) => Buffer.from(text, 'utf16le');
	const sent = Buffer.alloc(48);
	sent.writeUInt32LE(0x00390040, 32);
	sent.writeBigUInt64LE((BigInt(Date.UTC(2026, 0, 31, 12)) + 11_644_473_600_000n) * 10_000n, 40);
	return createCompoundFile({
		'__properties_version1.0': sent,
		...Object.fromEntries(Object.entries(properties).map(([property, text]) => [`__substg1.0_${property}001F`, encodeWide(text)])),
		...Object.fromEntries(files.map((name, index) => [`__attach_version1.0_#0000000${index}/__substg1.0_3707001F`, encodeWide(name)])),
	});
}

const beginSheet = createBiffRecord(0x809, [0x600, 2], [5, 2], [0, 4], [0, 4], [0, 4]);
const endSheet = createBiffRecord(0x0a);
/** Encodes a text as its length followed by one byte per letter. */
export const encodeNarrow = (text: string, lengthBytes: 1 | 2 = 2) =>
	Buffer.concat([Buffer.from([text.length, 0].slice(0, lengthBytes)), Buffer.from([0]), Buffer.from(text, 'latin1')]);

/** Creates an Excel 97 workbook of these sheets, each given as records; `globals`: additional shared records. */
export function createXlsFile(sheets: Readonly<Record<string, readonly Buffer[]>>, globals: readonly Buffer[] = []): Uint8Array {
	const names = Object.keys(sheets);
	const bodies = Object.values(sheets).map(cells => Buffer.concat([beginSheet, ...cells, endSheet]));
	const createSheetHeads = (places: readonly number[]) =>
		names.map((name, i) => createBiffRecord(0x85, [places[i] ?? 0, 4], [0, 2], encodeNarrow(name, 1)));
	const createGlobals = (places: readonly number[]) => Buffer.concat([beginSheet, ...globals, ...createSheetHeads(places), endSheet]);
	const { length } = createGlobals([]);
	const places = bodies.map((_, i) => length + Buffer.concat(bodies.slice(0, i)).length);
	return createCompoundFile({ Workbook: Buffer.concat([createGlobals(places), ...bodies]) });
}
