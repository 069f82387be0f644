import assert from 'node:assert/strict';
import { readDocumentText } from '#engine/documents/documents.ts';
import { createPdfFile, mailFile } from './documentFiles.ts';

const readText = (name: string, content: string | Uint8Array, mimeType = '') =>
	readDocumentText({ name, mimeType, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content });

describe('PDF', () => {
	it('contains the text of its pages in order, with its lines', async () => {
		assert.equal(await readText('a.pdf', createPdfFile(['One (1)\nmore', '', 'Two'])), 'One (1)\nmore\n\nTwo');
		assert.equal(await readText('noname', createPdfFile(['x']), 'application/pdf'), 'x');
	});

	it('is refused with a message if it is scanned, has a password, or is damaged', async () => {
		await assert.rejects(readText('a.pdf', createPdfFile(['', ''])), /contains no text, only images/);
		const locked = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >>`;
		await assert.rejects(readText('a.pdf', createPdfFile(['x'], locked)), /The document has a password/);
		await assert.rejects(readText('a.pdf', '%PDF-1.4 and no more'), /The document 'a\.pdf' is damaged, or its extension is wrong/);
	});

	it("doesn't change the bytes it was given", async () => {
		const bytes = createPdfFile(['x']);
		await readText('a.pdf', bytes);
		assert.ok(bytes.length > 0);
	});
});

describe('mails', () => {
	it('contain sender, recipients, subject, text and names of files', async () => {
		assert.equal(
			await readText('a.eml', mailFile),
			'From: Jörg <joerg@example.test>\nTo: Ana <ana@example.test>, team@example.test\nDate: 2026-01-31T12:00:00.000Z\nSubject: Plan\n\nCafé at ten.\n\nAttachments: plan.pdf',
		);
		assert.equal(await readText('a.eml', 'Subject: S\nContent-Type: text/html\n\n<p>a <b>b</b></p><p>c'), 'Subject: S\n\na b\n\nc');
		await assert.rejects(readText('a.eml', ''), /isn't an email/);
	});
});

describe('text of other kinds', () => {
	it('is read unchanged, and Java properties as keys and values', async () => {
		assert.equal(await readText('a.PY', 'print(1)'), 'print(1)');
		assert.equal(await readText('a.ts', 'x', 'video/mp2t'), 'x');
		assert.equal(await readText('a.vtt', 'WEBVTT'), 'WEBVTT');
		assert.equal(
			await readText('a.properties', '# comment\n\nkey=value\nother: entry\nflag\na=b=c\n'),
			'# comment\n\nkey: value\nother: entry\nflag: \na: b=c',
		);
		assert.equal(await readText('a.csv', 'a,b', 'application/vnd.ms-excel'), '| a | b |\n| --- | --- |');
	});
});
