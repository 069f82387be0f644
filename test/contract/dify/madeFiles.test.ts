import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { ReplyOfApp } from '#editor/chat/apps/appOfReply.ts';
import { downloadStoredFile } from '#editor/chat/apps/storedFiles.ts';
import { parseMessageFile } from '#editor/chat/endpoints/messageFile.ts';
import type { Connection } from '#editor/connections/connectionTypes.ts';
import type { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { words } from '../../unit/editor/chat/endpoints/words.ts';
import { startTrackedDeployment, stopDeployments } from './managed.ts';

const agentFile = `app: {name: Painter, mode: agent-chat}
kind: app
version: 0.6.0
model_config: {model: {provider: openai, name: gpt-4o, mode: chat}}
`;
const [model, user] = ['Painter', 'ana'];

describe('files created by Dify agents', () => {
	let fake: DifyDeployment;
	let client: ServiceClient;
	beforeEach(async () => {
		fake = await startTrackedDeployment({ release: '1.18.0' });
		client = new ServiceClient({
			baseUrl: `${fake.origin}/v1`,
			kind: 'dify',
			keys: { agent: fake.addKey(fake.addApp(agentFile)) },
			network: { environment: {} },
		});
		fake.chats.agents.picture = { type: 'image/png', data: Buffer.from('PNG') };
	});
	afterEach(async () => {
		await client.close();
		await stopDeployments();
	});

	/** Returns a generated image with its file and reply. */
	async function createNextImage() {
		fake.chats.agents.next = [
			{ event: 'message_file', name: 'cat.png' },
			{ event: 'agent_message', answer: 'A cat.' },
			{ event: 'message_end' },
		];
		let found: ReturnType<typeof parseMessageFile>;
		let ids = { message_id: '', conversation_id: '' };
		for await (const event of client.streamChatMessage({ model, query: 'Paint', inputs: {}, user })) {
			found ??= event.event === 'message_file' ? parseMessageFile(event, 'assistant') : undefined;
			ids = { ...ids, ...(event as object) };
		}
		assert.ok(found?.id);
		const connection = { id: 'd', name: 'Dify', kind: 'dify', baseUrl: `${fake.origin}/v1`, user } as Connection;
		const reply = {
			reply: { messageId: ids.message_id, conversationId: ids.conversation_id, model },
			connection,
			user,
		} as unknown as ReplyOfApp;
		return { part: { ...found, id: found.id }, reply };
	}

	for (const absolute of [true, false]) {
		it(`downloads from ${absolute ? 'an absolute' : 'a relative'} address, and looks it up again once it has expired`, async () => {
			fake.chats.agents.absolute = absolute;
			const { part, reply } = await createNextImage();
			const downloadImage = async () => Buffer.from((await downloadStoredFile(part, reply, client, words, true)).data).toString();
			assert.equal(await downloadImage(), 'PNG');
			fake.chats.agents.signature = 'another';
			assert.equal(await downloadImage(), 'PNG');
			const asked = fake.requests.filter(({ path }) => path.startsWith('/files/')).map(({ status }) => status);
			assert.deepEqual(asked, [200, 403, 200]);
		});
	}

	it("refuses files that aren't images, are too large, are deleted or aren't on the web", async () => {
		const { part, reply } = await createNextImage();
		const assertDownloadRefused = (why: RegExp, of = part) =>
			assert.rejects(downloadStoredFile(of, reply, client, words, true), { name: 'Problem', message: why });
		fake.chats.agents.picture = { type: 'text/html', data: Buffer.from('<script>') };
		await assertDownloadRefused(/^Couldn't download 'cat\.png'\. The file isn't an image\. Its type is 'text\/html'\.$/);
		fake.chats.agents.picture = { type: 'image/png', data: Buffer.alloc(9 * 1024 * 1024) };
		await assertDownloadRefused(/larger than 8 MB/);
		fake.faults.planFault(/^GET \/files/, { kind: 'lost' }, 9);
		await assertDownloadRefused(/Couldn't reach the server/);
		fake.faults.clear();
		fake.faults.planFault(/^GET \/files/, { kind: 'page', status: 502 }, 9);
		await assertDownloadRefused(/server responded with status 502/);
		await assertDownloadRefused(/isn't a web address/, { ...part, url: 'file:///etc/passwd' });
		await assertDownloadRefused(/isn't a web address/, { ...part, url: 'command:workbench.action.quit' });
	});

	it('sends no app key with a download', async () => {
		const { part, reply } = await createNextImage();
		const headers: unknown[] = [];
		const elsewhere = await startTrackedDeployment({ release: '1.18.0' });
		elsewhere.chats.agents.signature = 's';
		elsewhere.chats.agents.picture = { type: 'image/png', data: Buffer.from('PNG') };
		elsewhere.watch = ({ request }) => headers.push(request.headers.authorization, request.headers.cookie, request.headers.referer);
		await downloadStoredFile({ ...part, url: `${elsewhere.origin}/files/tools/cat.png?sign=s` }, reply, client, words);
		assert.deepEqual(headers, [undefined, undefined, undefined]);
	});
});
