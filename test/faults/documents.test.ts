import assert from 'node:assert/strict';
import { zipSync } from 'fflate';
import { cleanUpGateways, startGateway } from '../contract/gateway/gatewayProcess.ts';
import {
	createEpubFile,
	createOdtFile,
	createPackedPdf,
	createPdfFile,
	createPptxFile,
	createXlsxFile,
} from '../unit/engine/documents/documentFiles.ts';
import { createAgentText, createEndNode, createStartNode } from '../unit/engine/run/engineFixture.ts';
import { chooseSize } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const megabyte = 1024 * 1024;
const size = chooseSize(2, 14) * megabyte;
const repeatPart = (part: string) => part.repeat(size / part.length);

/** Files that would expand enormously or take forever without limits. */
const attacks: Readonly<Record<string, () => Uint8Array<ArrayBuffer> | string>> = {
	'wide.csv': () => `${'a,'.repeat(50_000)}\n${'x\n'.repeat(50_000)}`,
	'cells.csv': () => repeatPart(','),
	'deep.html': () => repeatPart('<div>'),
	'attributes.html': () => `<p ${repeatPart('a ')}`,
	'scripts.html': () => repeatPart('<script'),
	'deep.json': () => repeatPart('['),
	'wide.json': () => `[${repeatPart('[],')}1]`,
	'bomb.docx': () => Uint8Array.from(zipSync({ 'word/document.xml': new Uint8Array(chooseSize(40, 1000) * megabyte) })),
	'tags.docx': () => Uint8Array.from(zipSync({ 'word/document.xml': Buffer.from(repeatPart('<w:p>').slice(0, 10 * megabyte)) })),
	'no.docx': () => repeatPart('PK\u0003\u0004'),
	'entities.docx': () => Uint8Array.from(zipSync({ 'word/document.xml': Buffer.from(entities) })),
	'corners.xlsx': () =>
		Uint8Array.from(createXlsxFile({ S: '<row><c r="A1"><v>1</v></c></row><row><c r="XFD9"><v>1</v></c></row>'.repeat(20_000) })),
	'shared.xlsx': () =>
		Uint8Array.from(createXlsxFile({ S: '<row><c t="s"><v>0</v></c></row>'.repeat(50_000) }, { texts: [`<t>${'x'.repeat(100_000)}</t>`] })),
	'sheets.xlsx': () =>
		Uint8Array.from(createXlsxFile(Object.fromEntries(Array.from({ length: chooseSize(300, 3000) }, (_, i) => [`S${i}`, '<row/>'])))),
	'same.pptx': () => Uint8Array.from(createPptxFile(Array<string>(chooseSize(300, 3000)).fill('<a:p/>'))),
	'spaces.odt': () => Uint8Array.from(createOdtFile('<text:p><text:s text:c="999999999"/></text:p>'.repeat(20_000))),
	'deep.epub': () => Uint8Array.from(createEpubFile({ 'a.xhtml': '<div>'.repeat(100_000) }, ['a.xhtml'])),
	'deep.eml': () => `Content-Type: multipart/mixed; boundary="b"\n\n${repeatPart('--b\nContent-Type: multipart/mixed; boundary="b"\n\n')}`,
	'heads.eml': () => repeatPart('Subject: x\n'),
	'pages.pdf': () => Uint8Array.from(createPdfFile(Array<string>(chooseSize(500, 20_000)).fill('x'))),
	'kids.pdf': () =>
		Buffer.from(
			Buffer.from(createPdfFile(['x']))
				.toString('latin1')
				.replace('/Kids [4 0 R] /Count 1', '/Kids [2 0 R] /Count 9'),
			'latin1',
		),
	'bomb.pdf': () => Uint8Array.from(createPackedPdf(Buffer.alloc(chooseSize(40, 900) * megabyte, 32))),
	'marks.pdf': () => Uint8Array.from(createPackedPdf(Buffer.from('BT /F1 1 Tf (x) Tj ET\n'.repeat(chooseSize(50_000, 3_000_000))))),
};

const entities = `<!DOCTYPE d [<!ENTITY a0 "lol">${Array.from({ length: 40 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]><d>&a40;</d>`;

describe('oversized documents', () => {
	afterEach(cleanUpGateways);

	it('are read or refused with a message, and delay no caller', async () => {
		const read = createAgentText(
			[
				createStartNode(),
				{ id: 'read', data: { type: 'document-extractor', variable_selector: ['sys', 'files'] } },
				createEndNode({ text: 'read.text' }),
			],
			['start > read', 'read > end'],
		);
		const gateway = await startGateway({ agents: { read } });
		await gateway.send('GET', '/v1/agent/agents');
		for (const [name, make] of Object.entries(attacks)) {
			const form = new FormData();
			form.append('file', new Blob([make()]), name);
			form.append('user', 'ana');
			const upload = await fetch(new URL('/v1/agent/files/upload', gateway.baseUrl), {
				method: 'POST',
				headers: { authorization: `Bearer ${gateway.apiKey}` },
				body: form,
			});
			const { id } = (await upload.json()) as { id: string };
			assert.equal(upload.status, 201);
			const health = startProbe(gateway);
			const { json, text } = await gateway.send('POST', '/v1/agent/workflows/run', {
				model: 'read',
				inputs: {},
				files: [{ type: 'document', transfer_method: 'local_file', upload_file_id: id }],
				response_mode: 'blocking',
				user: 'ana',
			});
			const longest = await health.stop();
			assert.ok(longest < patienceMs, `${name}: a caller waited ${Math.round(longest)} ms`);
			const { status, error } = (json?.data ?? {}) as { status?: string; error?: string | null };
			assert.ok(
				status === 'succeeded' || (status === 'failed' && /^(The|Couldn't) .*\b(document|table|page|text)\b/.test(String(error))),
				`${name}: ${text.slice(0, 300)}`,
			);
		}
	}).timeout(300_000);
});
