import assert from 'node:assert/strict';
import { createChatAgent, createGreetingAgent } from './agents.ts';
import { cleanUpGateways, createAgentsFolder, createTemporaryFolder, type GatewayProcess, startGateway } from './gatewayProcess.ts';

/** Something that a client was told is stored, and how to read it again. */
interface Confirmed {
	readonly path: string;
	readonly expected: RegExp;
}

/** Writes one thing of each kind, and returns those that were confirmed before the gateway was killed. */
async function writeUntilKilled(gateway: GatewayProcess, number: number, confirmed: Confirmed[]): Promise<void> {
	const user = `user-${number}`;
	const post = async (path: string, body: unknown) => {
		const answer = await gateway.send('POST', path, body);
		assert.ok(answer.status < 300, answer.text);
		return answer.json;
	};
	try {
		for (let at = 0; ; at++) {
			const query = `question ${number}-${at}`;
			const turn = await post('/v1/agent/chat-messages', { model: 'chatter', query, inputs: {}, user, response_mode: 'blocking' });
			const of = `model=chatter&user=${user}`;
			confirmed.push({
				path: `/v1/agent/messages?${of}&conversation_id=${turn.conversation_id}`,
				expected: new RegExp(`"query":"${query}"`),
			});
			const name = `name ${number}-${at}`;
			await post(`/v1/agent/conversations/${turn.conversation_id}/name`, { model: 'chatter', user, name });
			confirmed.push({ path: `/v1/agent/conversations?${of}&limit=100`, expected: new RegExp(`"name":"${name}"`) });
			const response = await post('/v1/responses', { model: 'offline', input: query, store: true });
			confirmed.push({ path: `/v1/responses/${response.id}`, expected: new RegExp(`"id":"${response.id}"`) });
			const form = new FormData();
			form.set('user', user);
			form.set('file', new Blob([query.repeat(10_000)]), 'a.txt');
			const headers = { authorization: `Bearer ${gateway.apiKey}` };
			const upload = await fetch(`${gateway.baseUrl}/v1/agent/files/upload`, { method: 'POST', headers, body: form });
			const { id } = (await upload.json()) as { id: string };
			confirmed.push({ path: `/v1/agent/files/${id}/preview?user=${user}`, expected: new RegExp(`^(?:${query}){10000}$`) });
		}
	} catch (error) {
		if ((error as Error).name === 'AssertionError') {
			throw error;
		}
		// the gateway was killed
	}
}

describe('what a gateway has confirmed', () => {
	after(cleanUpGateways);

	it('is there after kill -9: chat turns, names, responses and uploads', async function () {
		this.timeout(170_000);
		const data = createTemporaryFolder();
		const agents = createAgentsFolder({ chatter: createChatAgent(), greeter: createGreetingAgent() });
		const start = () => startGateway({ data, flags: ['--agents', agents] });
		const confirmed: Confirmed[] = [];
		for (let round = 0; round < 4; round++) {
			const gateway = await start();
			for (const { path, expected } of confirmed) {
				const { status, text } = await gateway.send('GET', path);
				assert.equal(status, 200, `${path}: ${text}`);
				assert.match(text, expected, path);
			}
			const before = confirmed.length;
			const writing = [1, 2, 3].map(number => writeUntilKilled(gateway, round * 10 + number, confirmed));
			while (confirmed.length < before + 5 + round * 7) {
				await new Promise(resolve => setTimeout(resolve, 3));
			}
			await gateway.endProcess('SIGKILL');
			await Promise.all(writing);
		}
	});
});
