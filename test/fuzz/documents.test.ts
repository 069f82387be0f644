import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readDocumentText } from '#engine/documents/documents.ts';
import { NodeError } from '#engine/nodes/nodeError.ts';
import {
	createBiffRecord,
	createDocxFile,
	createEpubFile,
	createMsgFile,
	createOdtFile,
	createPdfFile,
	createPptxFile,
	createXlsFile,
	createXlsxFile,
	encodeNarrow,
	mailFile,
} from '../unit/engine/documents/documentFiles.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const wholes: Readonly<Record<string, Uint8Array>> = {
	pdf: createPdfFile(['One (1)\nmore', 'Two']),
	docx: createDocxFile('<w:p><w:r><w:t>a</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>'),
	xlsx: createXlsxFile(
		{ S: '<row><c r="A1" t="s" s="0"><v>0</v></c><c s="1"><v>46053</v></c></row>' },
		{ texts: ['<t>x</t>'], formats: [14, 'hh:mm'] },
	),
	pptx: createPptxFile(['<a:p><a:r><a:t>One</a:t></a:r></a:p>', '<a:p/>']),
	odt: createOdtFile('<text:p>a<text:s text:c="3"/></text:p>'),
	epub: createEpubFile({ 'a.xhtml': '<html><body><p>x</p></body></html>' }, ['a.xhtml']),
	eml: Buffer.from(mailFile),
	msg: createMsgFile({ '0037': 'Plan', '1000': 'At ten.' }, ['plan.pdf']),
	xls: createXlsFile(
		{
			S: [
				createBiffRecord(0xfd, [0, 2], [0, 2], [0, 2], [0, 4]),
				createBiffRecord(0x06, [0, 2], [1, 2], [0, 2], Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff])),
				createBiffRecord(0x207, encodeNarrow('x')),
			],
		},
		[createBiffRecord(0xfc, [1, 4], [1, 4], encodeNarrow('Name')), createBiffRecord(0x3c, Buffer.from('more'))],
	),
};

/** Reads a document of any kind. Expects a string, or an error message that names the problem. */
async function expectReadOrRefusal(kind: string, bytes: Uint8Array): Promise<void> {
	try {
		assert.equal(typeof (await readDocumentText({ name: `a.${kind}`, mimeType: '', bytes })), 'string');
	} catch (error) {
		assert.ok(error instanceof NodeError, String(error));
		assert.match(error.message, /^(The|Couldn't) .*(document|text|table|page|file)/);
	}
}

/** Damages a file like a broken disk, an incomplete download or an attacker. */
function damageFile(whole: Uint8Array): fc.Arbitrary<Uint8Array> {
	const place = fc.nat(whole.length - 1);
	const cut = place.map(end => whole.subarray(0, end));
	const changed = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 12 }).map(changes => {
		const bytes = Uint8Array.from(whole);
		for (const [at, byte] of changes) {
			bytes[at] = byte;
		}
		return bytes;
	});
	const filled = fc
		.tuple(place, fc.uint8Array({ maxLength: 60 }))
		.map(([at, bytes]) => Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)]));
	return fc.oneof(cut, changed, filled);
}

describe('any document', () => {
	for (const [kind, whole] of Object.entries(wholes)) {
		it(`is read or refused with a message as ${kind.toUpperCase()}, whatever its bytes are`, async () => {
			const bytes = fc.oneof({ weight: 5, arbitrary: damageFile(whole) }, fc.uint8Array({ maxLength: 300 }));
			await fc.assert(
				fc.asyncProperty(bytes, each => expectReadOrRefusal(kind, each)),
				{ numRuns: fuzzRuns },
			);
		});
	}

	it('is read or refused with a message if XML inside its archive is damaged', async () => {
		const pieces = fc.constantFrom(
			'<row>',
			'</row>',
			'<c r="XFD9" t="s">',
			'<c t="s" s="9999999">',
			'<v>',
			'-1',
			'1e999',
			'</c>',
			'<is>',
			'</t>',
			'<t>',
			'<!--',
			']]>',
			'&#x110000;',
			'<c r="A99999999999">',
		);
		await fc.assert(
			fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), each =>
				expectReadOrRefusal('xlsx', createXlsxFile({ S: each.join('') }, { texts: ['<t>x'], formats: [14, '[$'] })),
			),
			{ numRuns: fuzzRuns },
		);
		const tags = ['tbl', 'tr', 'tc', 'p', 'r', 't', 'tab', 'br', 'Fallback', 'gridSpan w:val="-3"', 'gridSpan w:val="1e9"'];
		const word = fc
			.tuple(fc.constantFrom('<w:', '</w:'), fc.constantFrom(...tags), fc.constantFrom('>', '/>', '>x'))
			.map(tag => tag.join(''));
		await fc.assert(
			fc.asyncProperty(fc.array(word, { maxLength: 30 }), each => expectReadOrRefusal('docx', createDocxFile(each.join('')))),
			{ numRuns: fuzzRuns },
		);
	});
});
