import assert from 'node:assert/strict';
import { unzipSync, zipSync } from 'fflate';
import { readDocumentText } from '#engine/documents/documents.ts';
import {
	createCompoundFile,
	createDocxFile,
	createEpubFile,
	createOdtFile,
	createPptxFile,
	createXlsxFile,
	createZipFile,
} from './documentFiles.ts';

const readText = (name: string, bytes: Uint8Array, mimeType = '') => readDocumentText({ name, mimeType, bytes });

describe('Word documents', () => {
	const createParagraph = (...runs: string[]) => `<w:p>${runs.map(run => `<w:r>${run}</w:r>`).join('')}</w:p>`;

	it('contain tables as Markdown, in order with the paragraphs', async () => {
		const createRow = (...cells: string[]) => `<w:tr>${cells.map(cell => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;
		const createCell = (text: string) => createParagraph(`<w:t>${text}</w:t>`);
		const table = `<w:tbl>${createRow(createCell('Name'), createCell('Value'))}${createRow(createCell('Color'), createCell('Blue') + createCell('Red'))}${createRow(`<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${createCell('both')}`)}</w:tbl>`;
		const text = await readText('a.docx', createDocxFile(createCell('Intro') + table + createCell('Outro')));
		assert.equal(text, 'Intro\n| Name | Value |\n| --- | --- |\n| Color | Blue<br>Red |\n| both | both |\n\nOutro');
	});

	it('contain visible text, but no deleted, computed or duplicated text', async () => {
		const text = await readText(
			'a.docx',
			createDocxFile(
				`<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c &amp; d</w:t></w:r>
				<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>once</w:t></w:r></w:moveFrom><w:r><w:instrText> PAGE </w:instrText></w:r>
				<mc:AlternateContent><mc:Choice><w:t>once</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent></w:p>`,
			),
		);
		assert.equal(text, 'a\tb\nc & donce');
	});

	it("are found under Windows's names too", async () => {
		assert.equal(
			await readText('a.docx', createZipFile({ 'word\\document.xml': `<w:document>${createParagraph('<w:t>x</w:t>')}</w:document>` })),
			'x',
		);
	});
});

describe('workbooks', () => {
	it('contain sheets in order under their names, as tables without empty rows and columns', async () => {
		const sheet = `<row r="2"/><row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="inlineStr"><is><t>Value</t></is></c></row>
			<row r="9"><c r="B9" t="s"><v>1</v></c><c r="C9"><v>1.50</v></c></row><row><c r="C10" t="b"><v>1</v></c><c t="str"><f>A1</f><v>x|y</v></c></row>`;
		const text = await readText(
			'a.xlsx',
			createXlsxFile(
				{ First: sheet, Empty: '<row r="1"><c r="A1"/></row>', Last: '<row><c><v>7</v></c></row>' },
				{ texts: ['<t>Name</t>', '<r><t xml:space="preserve">Alice\nS</t></r><r><t>mith</t></r><rPh><t>ph</t></rPh>'] },
			),
		);
		assert.equal(
			text,
			'## First\n\n| Name | Value |  |\n| --- | --- | --- |\n| Alice Smith | 1.5 |  |\n|  | True | x\\|y |\n\n## Last\n\n| 7 |\n| --- |',
		);
	});

	it('contain dates and times as such', async () => {
		const createCell = (value: number, style: number) => `<c s="${style}"><v>${value}</v></c>`;
		const formats = [0, 14, 21, 'yyyy\\-mm\\-dd', '[h]:mm', '#,##0&quot;days&quot;', 10];
		const createRow = (...cells: string[]) => `<row>${cells.join('')}</row>`;
		const sheet =
			createRow(
				createCell(46053.5, 0),
				createCell(46053.5, 1),
				createCell(0.75, 2),
				createCell(46053, 3),
				createCell(0.25, 4),
				createCell(5, 5),
				createCell(0.07, 6),
			) + createRow(createCell(1, 1), createCell(60, 1));
		assert.match(
			await readText('a.xlsx', createXlsxFile({ S: sheet }, { formats })),
			/\| 46053\.5 \| 2026-01-31 12:00:00 \| 18:00:00 \| 2026-01-31 00:00:00 \| 06:00:00 \| 5 \| 0\.07 \|\n.*\n\| 1900-01-01 00:00:00 \| 1900-02-28 00:00:00 \|/,
		);
		const row = createRow(createCell(46053, 0), createCell(1.5, 1), createCell(2.25, 2), createCell(0.75, 3));
		const others = createXlsxFile({ S: row }, { formats: ['mmm', '[h]:mm', 46, '0.0,&quot;m&quot;'] });
		assert.match(await readText('a.xlsx', others), /\| 2026-01-31 00:00:00 \| 36:00:00 \| 54:00:00 \| 0\.75 \|/);
		const macintosh = createXlsxFile({ S: createRow(createCell(44591, 0)) }, { formats: [14], workbook: '<workbookPr date1904="1"/>' });
		assert.match(await readText('a.xlsx', macintosh), /2026-01-31/);
	});

	it('are refused if distant cells would need too much memory', async () => {
		const sheet = `<row><c r="A1"><v>1</v></c></row>${'<row><c r="XFD2"><v>1</v></c></row>'.repeat(100)}`;
		await assert.rejects(readText('a.xlsx', createXlsxFile({ S: sheet })), /more than 500000 cells/);
		const long = { texts: [`<t>${'x'.repeat(30_000)}</t>`] };
		await assert.rejects(
			readText('a.xlsx', createXlsxFile({ S: '<row><c t="s"><v>0</v></c></row>'.repeat(400) }, long)),
			/longer than 10000000 characters/,
		);
	});
});

describe('presentations', () => {
	it('contain slides in order, with an empty line between them', async () => {
		const createParagraph = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
		const table = `<a:tbl><a:tr><a:tc><a:txBody>${createParagraph('k')}</a:txBody></a:tc><a:tc>${createParagraph('v')}</a:tc></a:tr></a:tbl>`;
		const slides = [createParagraph('One') + createParagraph('more'), '', `${createParagraph('Two')}${table}`];
		assert.equal(await readText('a.pptx', createPptxFile(slides)), 'One\nmore\n\nTwo\n| k | v |\n| --- | --- |');
	});

	it('repeat a cell that spans columns in each of them', async () => {
		const createCell = (text: string, attributes = '') => `<a:tc${attributes}><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:tc>`;
		const heading = `<a:tr>${createCell('Sales', ' gridSpan="2"')}<a:tc hMerge="1"><a:p/></a:tc>${createCell('Cost')}</a:tr>`;
		const table = `<a:tbl>${heading}<a:tr>${['1', '2', '3'].map(text => createCell(text)).join('')}</a:tr></a:tbl>`;
		assert.equal(await readText('a.pptx', createPptxFile([table])), '| Sales | Sales | Cost |\n| --- | --- | --- |\n| 1 | 2 | 3 |');
	});
});

describe('OpenDocument texts', () => {
	it('contain headings, lists, tables and an empty line between paragraphs', async () => {
		const text = await readText(
			'a.odt',
			createOdtFile(`<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
				<text:h text:outline-level="2">Head</text:h><text:p>First <text:span>para</text:span>graph.<text:s text:c="3"/>x<text:line-break/>y</text:p>
				<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list><text:p/>
				<table:table><table:table-row><table:table-cell><text:p>k</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>v</text:p></table:table-cell></table:table-row></table:table>
				<text:p>Second<text:s text:c="999999999"/></text:p>`),
		);
		assert.equal(text, '## Head\n\nFirst paragraph.   x\ny\n\n- item\n\n| k | v | v |\n| --- | --- | --- |\n\nSecond');
	});

	it('are refused if they have a password', async () => {
		const manifest = '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
		await assert.rejects(readText('a.odt', createOdtFile('', { 'META-INF/manifest.xml': manifest })), /The document has a password/);
	});
});

describe('books', () => {
	const createPage = (body: string) => `<?xml version="1.0"?><html><head><title/><script src="x"/></head><body>${body}</body></html>`;

	it('contain their chapters in reading order', async () => {
		const chapters = {
			'second.xhtml': createPage('<h1>Second</h1><p>Two.</p>'),
			'first chapter.xhtml': createPage('<h1>First</h1><p>One.</p>'),
		};
		const book = createEpubFile(chapters, ['first chapter.xhtml', 'second.xhtml', 'first chapter.xhtml']);
		assert.equal(await readText('a.epub', book), '# First\n\nOne.\n\n# Second\n\nTwo.');
	});

	it('are refused if they are locked by DRM, and read if only their fonts are', async () => {
		const createLockedFile = (path: string) =>
			createEpubFile({ 'a.xhtml': createPage('<p>x</p>') }, ['a.xhtml'], {
				'META-INF/encryption.xml': `<encryption><EncryptedData><CipherReference URI="${path}"/></EncryptedData></encryption>`,
			});
		await assert.rejects(readText('a.epub', createLockedFile('OPS/Text/a.xhtml')), /copy-protected/);
		assert.equal(await readText('a.epub', createLockedFile('OPS/font.otf')), 'x');
	});
});

describe('documents that are archives', () => {
	it('are read whatever size their archive declares, and with ZIP64 fields', async () => {
		const document = createDocxFile('<w:p><w:r><w:t>all of it</w:t></w:r></w:p>');
		for (const size of [0, 10, 0x7fffffff]) {
			assert.equal(await readText('a.docx', setSize(document, size)), 'all of it');
		}
		assert.equal(await readText('a.docx', addZip64Fields(document)), 'all of it');
	});

	it("are refused with a message if they unpack to too much, have a password, or aren't valid", async () => {
		const large = zipSync({ 'word/document.xml': new Uint8Array(31 * 1024 * 1024) }, { level: 1 });
		await assert.rejects(readText('a.docx', large), /unpacked document is larger than 30 MB/);
		await assert.rejects(readText('a.docx', setSize(large, 10)), /unpacked document is larger than 30 MB/);
		await assert.rejects(
			readText('a.docx', createCompoundFile({ EncryptedPackage: new Uint8Array() })),
			/has a password, or an Office format from before 2007/,
		);
		for (const kind of ['docx', 'xlsx', 'pptx', 'odt', 'epub']) {
			await assert.rejects(readText(`a.${kind}`, new TextEncoder().encode('no zip')), /Couldn't unpack/);
			await assert.rejects(readText(`a.${kind}`, createZipFile({ x: '' })), /has no text: .* is missing/);
		}
	});

	it('are refused if their contents were damaged', async () => {
		const stored = Buffer.from(zipSync({ 'word/document.xml': Buffer.from('<w:p><w:r><w:t>Total: 100</w:t></w:r></w:p>') }, { level: 0 }));
		assert.equal(await readText('a.docx', stored), 'Total: 100');
		stored.write('900', stored.indexOf('100'));
		await assert.rejects(readText('a.docx', stored), /Couldn't unpack the document: invalid zip data/);
	});

	it('are refused if a sheet, a slide, a chapter or the texts of cells are missing', async () => {
		const sheet = '<row><c t="s"><v>0</v></c><c><v>1</v></c></row>';
		const workbook = unzipSync(createXlsxFile({ A: sheet, B: sheet }, { texts: ['<t>x</t>'] }));
		const { 'xl/worksheets/sheet1.xml': last = new Uint8Array(), ...others } = workbook;
		assert.match(await readText('a.xlsx', zipSync({ ...others, 'xl/Worksheets/Sheet1.xml': last })), /# A[\s\S]*\| x \| 1 \|[\s\S]*# B/);
		await assert.rejects(readText('a.xlsx', zipSync(others)), /is damaged: xl\/worksheets\/sheet1\.xml is missing/);
		const { 'xl/sharedStrings.xml': _, ...numbers } = workbook;
		await assert.rejects(readText('a.xlsx', zipSync(numbers)), /is damaged: text 0 of its cells is missing/);
		const unrelated = { ...workbook, 'xl/_rels/workbook.xml.rels': Buffer.from('<Relationships/>') };
		await assert.rejects(readText('a.xlsx', zipSync(unrelated)), /is damaged: xl\/workbook\.xml refers to 'rId1', which is missing/);
		const { 'ppt/slides/slide1.xml': slide, ...slides } = unzipSync(createPptxFile(['<a:p/>', '<a:p/>']));
		assert.ok(slide);
		await assert.rejects(readText('a.pptx', zipSync(slides)), /is damaged: ppt\/slides\/slide1\.xml is missing/);
		const { 'OPS/Text/b': chapter, ...chapters } = unzipSync(createEpubFile({ a: '<p>x</p>', b: '<p>y</p>' }, ['a', 'b']));
		assert.ok(chapter);
		await assert.rejects(readText('a.epub', zipSync(chapters)), /is damaged: OPS\/Text\/b is missing/);
	});

	it('expand no entities', async () => {
		const bomb = `<!DOCTYPE d [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><w:document><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:document>`;
		assert.equal(await readText('a.docx', createZipFile({ 'word/document.xml': bomb })), '&b;');
		await assert.rejects(readText('a.docx', createDocxFile('<w:p>'.repeat(5000))), /more than 2000 levels/);
	});
});

/** Creates an archive of one file whose headers declare this many bytes. */
function setSize(archive: Uint8Array, size: number): Uint8Array {
	const bytes = Buffer.from(archive);
	bytes.writeUInt32LE(size, 22);
	bytes.writeUInt32LE(size, getDirectory(bytes) + 24);
	return bytes;
}

/** Creates an archive of one file as ZIP64: sizes and offsets are in 64-bit fields. */
function addZip64Fields(archive: Uint8Array): Uint8Array {
	const bytes = Buffer.from(archive);
	const directory = getDirectory(bytes);
	const entry = Buffer.from(bytes.subarray(directory, bytes.length - 22));
	const encodeWide = (...values: number[]) => Buffer.from(new BigUint64Array(values.map(BigInt)).buffer);
	const field = Buffer.concat([Buffer.of(1, 0, 24, 0), encodeWide(entry.readUInt32LE(24), entry.readUInt32LE(20), entry.readUInt32LE(42))]);
	entry.fill(0xff, 20, 28).fill(0xff, 42, 46).writeUInt16LE(field.length, 30);
	const end = directory + entry.length + field.length;
	const last = Buffer.from(bytes.subarray(-22)).fill(0xff, 8, 20);
	return Buffer.concat([
		...[bytes.subarray(0, directory), entry, field],
		...[Buffer.from('PK\x06\x06'), encodeWide(44), Buffer.alloc(12), encodeWide(1, 1, entry.length + field.length, directory)],
		...[Buffer.from('PK\x06\x07\0\0\0\0'), encodeWide(end), Buffer.of(1, 0, 0, 0), last],
	]);
}

/** Returns the offset of the directory of an archive without a comment. */
function getDirectory(bytes: Buffer): number {
	return bytes.readUInt32LE(bytes.length - 6);
}
