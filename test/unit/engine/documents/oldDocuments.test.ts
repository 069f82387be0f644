import assert from 'node:assert/strict';
import { readDocumentText } from '#engine/documents/documents.ts';
import { createBiffRecord, createCompoundFile, createMsgFile, createXlsFile, encodeNarrow } from './documentFiles.ts';

const readText = (name: string, bytes: Uint8Array) => readDocumentText({ name, mimeType: '', bytes });

describe('messages of Outlook', () => {
	it('contain sender, recipients, subject, text and names of files', async () => {
		const message = createMsgFile(
			{ '0037': 'Plan', '0C1A': 'Jörg', '5D01': 'joerg@example.test', '0E04': 'Ana; Team', '1000': `At ten.\r\n${'long '.repeat(2000)}` },
			['plan.pdf', 'b.png'],
		);
		assert.match(
			await readText('a.msg', message),
			/^From: Jörg <joerg@example\.test>\nTo: Ana; Team\nDate: 2026-01-31T12:00:00\.000Z\nSubject: Plan\n\nAt ten\.\r\n(long ){1999}long\n\nAttachments: plan\.pdf, b\.png$/,
		);
		await assert.rejects(readText('a.msg', createCompoundFile({ x: Buffer.from('y') })), /isn't an email: it has neither headers nor text/);
		await assert.rejects(readText('a.msg', Buffer.from('x')), /is damaged, or its parts are larger than 30 MB/);
	});
});

describe('workbooks from before 2007', () => {
	const createStyle = (format: number) => createBiffRecord(0xe0, [0, 2], [format, 2], Buffer.alloc(16));
	const createCell = (type: number, row: number, column: number, xf: number, ...rest: Parameters<typeof createBiffRecord>[1][]) =>
		createBiffRecord(type, [row, 2], [column, 2], [xf, 2], ...rest);

	it('contain their sheets as tables: shared and continued texts, numbers, dates, booleans and formulas', async () => {
		// the second text continues in another record, where it becomes wide; it ends with formatting runs
		const texts = [
			createBiffRecord(0xfc, [2, 4], [2, 4], encodeNarrow('Name'), [6, 2], [8, 1], [1, 2], Buffer.from('Zeil')),
			createBiffRecord(0x3c, [1, 1], Buffer.from('ße', 'utf16le'), Buffer.alloc(4)),
		];
		const file = createXlsFile(
			{
				Old: [
					createCell(0xfd, 2, 1, 0, [0, 4]),
					createCell(0xfd, 2, 2, 0, [1, 4]),
					createCell(0x203, 4, 1, 1, [46053.5, 8]),
					createCell(0x27e, 4, 2, 0, [(1234 << 2) | 3, 4]),
					createBiffRecord(0xbd, [5, 2], [1, 2], [0, 2], [(7 << 2) | 2, 4], [2, 2], [(0x3fe80000 & 0xfffffffc) >>> 0, 4], [2, 2]),
					createCell(0x205, 6, 1, 0, [1, 1], [0, 1]),
					createCell(0x06, 6, 2, 0, Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), [0, 2], [0, 4], [0, 2]),
					createBiffRecord(0x207, encodeNarrow('sum')),
				],
				Empty: [],
			},
			[createBiffRecord(0x41e, [164, 2], encodeNarrow('yyyy-mm-dd')), createStyle(0), createStyle(164), createStyle(21), ...texts],
		);
		assert.equal(
			await readText('a.xls', file),
			'## Old\n\n| Name | Zeilße |\n| --- | --- |\n| 2026-01-31 12:00:00 | 12.34 |\n| 7 | 18:00:00 |\n| True | sum |',
		);
	});

	it('are refused with a message if they have a password, or are even older', async () => {
		await assert.rejects(readText('a.xls', createXlsFile({}, [createBiffRecord(0x2f, [0, 2])])), /The document has a password/);
		await assert.rejects(
			readText('a.xls', createCompoundFile({ Book: Buffer.from('x') })),
			/has a password, or isn't an Excel 97 or later workbook/,
		);
		await assert.rejects(readText('a.xlsx', createCompoundFile({ EncryptedPackage: Buffer.from('x') })), /The document has a password/);
		await assert.rejects(
			readText('a.doc', createCompoundFile({ WordDocument: Buffer.from('x') })),
			/has an Office format from before 2007/,
		);
	});
});
