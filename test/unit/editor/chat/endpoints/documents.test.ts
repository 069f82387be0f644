import assert from 'node:assert/strict';
import { ThreadPool } from '#base/threads/threadPool.ts';
import type { ServiceClient } from '#client/client.ts';
import { createFileAttachment } from '#editor/chat/attachments/attachments.ts';
import { DocumentTexts } from '#editor/chat/attachments/documentTexts.ts';
import { CompletionsEndpoint, createPrompt } from '#editor/chat/endpoints/completionsEndpoint.ts';
import { ContentEndpoint, createContentBody } from '#editor/chat/endpoints/contentEndpoint.ts';
import { quoteFile, type TextEndpoint } from '#editor/chat/endpoints/endpoint.ts';
import { createMessagesBody } from '#editor/chat/endpoints/messagesBody.ts';
import { MessagesEndpoint } from '#editor/chat/endpoints/messagesEndpoint.ts';
import { Chat } from '#editor/chat/transcripts/chat.ts';
import { parseTranscript } from '#editor/chat/transcripts/transcriptSchema.ts';
import type { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import { taskThreadFile } from '#engine/threads/taskThreadFile.ts';
import { createTranscript, type DocumentPart, type Turn } from '#pages/chat/transcript/transcript.ts';
import { createPdfFile, createXlsxFile, mailFile } from '../../../engine/documents/documentFiles.ts';
import { words } from './words.ts';

const createDocument = (fields: Partial<DocumentPart> = {}): DocumentPart => ({
	kind: 'document',
	name: 'docs/plan.pdf',
	mimeType: 'application/pdf',
	data: 'JVBERg==',
	text: 'The plan.',
	...fields,
});
const scan = createDocument({ text: '', problem: 'plan.pdf has no text that can be read: it is scanned.' });
const locked = createDocument({ name: 'a.docx', mimeType: 'application/vnd.x', text: '', problem: 'a.docx is locked.' });

describe('a quoted file', () => {
	it('has a fence that is longer than any in it, however many there are', () => {
		const quoted = quoteFile({ name: 'a.md', language: 'markdown', text: `${'```\n'.repeat(200_000)}\`\`\`\`\`` });
		assert.ok(quoted.startsWith('a.md\n``````markdown\n') && quoted.endsWith('\n``````'));
	});
});

describe('a document attached to a message', () => {
	let threads: ThreadPool;
	beforeEach(() => {
		threads = new ThreadPool(taskThreadFile, { maxThreads: 1, timeoutMs: 20_000, memoryMb: 256 });
	});
	afterEach(() => threads.close());

	const attachFile = async (name: string, bytes: Uint8Array) =>
		(await createFileAttachment(words, new DocumentTexts(threads, words), name, bytes)).part;

	it('is read when attached, and its type is detected by its content', async () => {
		const bytes = createPdfFile(['The plan']);
		assert.deepEqual(await attachFile('no ending', bytes), {
			kind: 'document',
			name: 'no ending',
			mimeType: 'application/pdf',
			data: Buffer.from(bytes).toString('base64'),
			text: 'The plan',
		});
		const sheet = await attachFile('a.XLSX', createXlsxFile({ S: '<row><c><v>7</v></c></row>' }));
		assert.equal(sheet.kind === 'document' && sheet.text, '## S\n\n| 7 |\n| --- |');
		const mail = await attachFile('a.eml', Buffer.from(mailFile));
		assert.match(mail.kind === 'document' ? mail.text : '', /Café at ten/);
		assert.equal((await attachFile('a.pdf', Buffer.from('text, whatever its name says'))).kind, 'file');
	});

	it('reports why it has no text', async () => {
		const scanned = await attachFile('a.pdf', createPdfFile(['']));
		assert.match(
			scanned.kind === 'document' ? `${scanned.text}${scanned.problem}` : '',
			/^Couldn't read text from 'a\.pdf': The document contains no text, only images\. Run text recognition.*first\.$/,
		);
		const broken = await attachFile('a.docx', Buffer.from('PK'));
		assert.match(
			broken.kind === 'document' ? String(broken.problem) : '',
			/^Couldn't read text from 'a\.docx': Couldn't unpack the document/,
		);
		await assert.rejects(attachFile('a.docx', new Uint8Array(6 * 1024 * 1024)), {
			reason: 'attachment',
			message: /'a\.docx' is too large \(6\.0 MB\)\. The limit is 5\.0 MB/,
		});
		await assert.rejects(attachFile('a.bin', new Uint8Array([0, 1])), {
			reason: 'attachment',
			message: /can't be attached. Use text, an image \(PNG/,
		});
	});

	it('is sent to models as text, or as a PDF file if it has no text and the service accepts it', () => {
		const createTurn = (part: DocumentPart): Turn => ({
			id: 'a',
			parent: null,
			role: 'user',
			parts: [part, { kind: 'text', text: 'Sum up' }],
			at: 0,
		});
		const getSentParts = (part: DocumentPart) => (createContentBody(createRequest(part)).contents as { parts: unknown[] }[])[0]?.parts[0];
		const getBlocks = (part: DocumentPart) => createMessagesBody(createRequest(part)).messages[0]?.content as unknown[];
		const quoted = 'docs/plan.pdf\n```\nThe plan.\n```';
		const createRequest = (part: DocumentPart) => ({ model: 'm', system: '', settings: {}, turns: [createTurn(part)], user: 'u' });
		assert.deepEqual(getBlocks(createDocument()), [
			{ type: 'text', text: quoted },
			{ type: 'text', text: 'Sum up' },
		]);
		assert.deepEqual(getBlocks(scan)[0], {
			type: 'document',
			source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
			title: 'docs/plan.pdf',
		});
		assert.deepEqual(getSentParts(createDocument()), { text: quoted });
		assert.deepEqual(getSentParts(scan), { inline_data: { mime_type: 'application/pdf', data: 'JVBERg==' } });
		assert.equal(createPrompt('', [createTurn(createDocument())]), `\n\nHuman: ${quoted}\n\nSum up\n\nAssistant:`);
	});

	it('is sent as a file to models that read PDFs, with tables and figures', async () => {
		const sent: unknown[] = [];
		const client = {
			streamMessage: (body: { messages: { content: unknown[] }[] }) => {
				sent.push(body.messages[0]?.content[0]);
				return [];
			},
			streamGenerateContent: (_model: string, body: { contents: { parts: unknown[] }[] }) => {
				sent.push(body.contents[0]?.parts[0]);
				return [];
			},
		} as unknown as ServiceClient;
		const sheet = createDocument({ name: 'plan.xlsx', mimeType: 'application/vnd.ms-excel' });
		for (const endpoint of [new MessagesEndpoint(words, { readsPdfs: true }), new ContentEndpoint(words, true)]) {
			for (const part of [createDocument(), sheet]) {
				const turn: Turn = { id: 'a', parent: null, role: 'user', parts: [part, { kind: 'text', text: 'Sum up' }], at: 0 };
				const request = { model: 'm', system: '', settings: {}, turns: [turn], user: 'u' };
				// a reply without events is an error, but the request was sent
				await endpoint
					.streamReply(client, request, AbortSignal.timeout(1000))
					[Symbol.asyncIterator]()
					.next()
					.catch(() => undefined);
			}
		}
		const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' };
		assert.deepEqual(sent, [
			{ type: 'document', source, title: 'docs/plan.pdf' },
			{ type: 'text', text: 'plan.xlsx\n```\nThe plan.\n```' },
			{ inline_data: { mime_type: 'application/pdf', data: 'JVBERg==' } },
			{ text: 'plan.xlsx\n```\nThe plan.\n```' },
		]);
	});

	it('is refused before sending if the endpoint does not accept it', async () => {
		const checkDocument = (endpoint: TextEndpoint, part: DocumentPart) =>
			endpoint.checkAttachments({} as ServiceClient, { model: 'm', settings: {} }, [part]);
		const [messages, content, completions] = [new MessagesEndpoint(words), new ContentEndpoint(words), new CompletionsEndpoint(words)];
		for (const endpoint of [messages, content, completions]) {
			assert.equal(await checkDocument(endpoint, createDocument()), undefined);
			assert.equal(await checkDocument(endpoint, locked), locked.problem);
			assert.match(
				String(await checkDocument(endpoint, createDocument({ text: 'x'.repeat(1_048_577) }))),
				/is too long \(1048577 characters\)\. The limit is 1048576/,
			);
		}
		assert.equal(await checkDocument(messages, scan), undefined);
		assert.equal(await checkDocument(content, scan), undefined);
		assert.equal(await checkDocument(completions, scan), scan.problem);
	});

	it('is saved with the chat, and sent to the page without its content', () => {
		const chat = new Chat(
			{ saveTranscript: async () => undefined } as unknown as TranscriptStore,
			createTranscript('a', undefined, 1),
			() => undefined,
		);
		const reported: unknown[] = [];
		chat.addChangeListener(change => reported.push(change));
		chat.addTurn('user', null, [createDocument()]);
		assert.deepEqual(chat.getShownTurns()[0]?.parts, [createDocument({ data: '', text: '' })]);
		assert.ok(!JSON.stringify(reported).includes('JVBERg'));
		assert.equal(chat.transcript.title, 'docs/plan.pdf');
		const read = parseTranscript(words, JSON.stringify({ ...chat.transcript, attachments: [{ id: 'b', part: scan }] }), 'x');
		assert.deepEqual([read.turns[0]?.parts, read.attachments[0]?.part], [[createDocument()], scan]);
		chat.dispose();
	});
});
