import assert from 'node:assert/strict';
import path from 'node:path';
import { ensureBuiltInChat } from '../../scripts/lib/workbench.ts';
import {
	createCallBlock,
	createMessagesReply,
	createTextBlock,
	type PlayedAnswer,
	PlayedUpstream,
} from '../support/services/playedUpstream.ts';
import { type OpenSession, openWorkbench } from '../ui/driver/session.ts';
import { ChatView } from './chatView.ts';

/** A request to the model. */
interface Sent {
	readonly tools?: readonly { readonly name: string }[];
	readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const createTextReply = (text: string): PlayedAnswer => ({ events: createMessagesReply(createTextBlock(0, text)) });
const createToolCall = (name: string, input: object): PlayedAnswer => ({
	events: createMessagesReply(createCallBlock(0, 'call1', name, JSON.stringify(input)), { stop: 'tool_use' }),
});

describe("VS Code's chat with one of our models", function () {
	this.timeout(300_000);
	const upstream = new PlayedUpstream();
	let session: OpenSession;
	let chat: ChatView;
	before(async () => {
		await upstream.start();
		session = await openWorkbench({
			extensions: [path.join(import.meta.dirname, 'driver')],
			server: { builtIn: [await ensureBuiltInChat()] },
			viewport: { width: 1400, height: 1000 },
			settings: {
				'workbench.secondarySideBar.defaultVisibility': 'visible',
				'agentWorkbench.connections': [{ id: 'played', name: 'Played service', kind: 'anthropic-compatible', baseUrl: upstream.url }],
				'agentWorkbench.assistant.models': [
					{
						connection: 'played',
						endpoint: 'messages',
						model: 'large',
						name: 'My large one',
						maxInputTokens: 200_000,
						maxOutputTokens: 777,
					},
				],
			},
		});
		chat = new ChatView(session.workbench);
		await chat.enableChat();
	});
	after(async () => {
		await session?.close();
		await upstream.stop();
	});
	beforeEach(() => {
		upstream.requests.length = 0;
	});
	afterEach(async function () {
		if (this.currentTest?.state === 'failed') {
			await session.workbench.saveScreenshot(`failed-${this.currentTest.title.replaceAll(/[^\w-]+/g, '-')}`);
		}
	});

	const getSentRequests = (): Sent[] => upstream.requests.map(({ body }) => body as unknown as Sent);
	/** Fakes a model that calls a tool once and replies when it has the result. VS Code also asks the model for titles. */
	const fakeToolCall = (name: string, input: object, end: string): void => {
		upstream.answer = ({ body }) => {
			const { tools = [], messages } = body as unknown as Sent;
			if (JSON.stringify(messages.at(-1)).includes('"tool_result"')) {
				return createTextReply(end);
			}
			return tools.some(tool => tool.name === name) ? createToolCall(name, input) : createTextReply('A title');
		};
	};
	const getToolResult = (): string => {
		const last = getSentRequests()
			.map(({ messages }) => JSON.stringify(messages.at(-1)))
			.find(text => text.includes('"tool_result"'));
		return last ?? '';
	};

	it('lists our model under its name, with its service', async () => {
		await chat.getModelButton('My large one').waitFor();
		assert.match(await chat.readModels('My large one'), /My large one\s+Played service/);
	});

	it('answers in ask mode', async () => {
		await chat.startConversation('Ask');
		upstream.answer = createTextReply('Hello from the played model.');
		await chat.sendMessage('Hello there');
		await chat.reply.getByText('Hello from the played model.').waitFor();
		await session.workbench.takeScreenshot('vscode-chat-ask');
		const asked = getSentRequests().find(({ messages }) => messages.some(({ content }) => JSON.stringify(content).includes('Hello there')));
		assert.ok(asked, 'the message was sent');
	});

	it('runs an agent in agent mode after a confirmation, and answers with its result', async () => {
		await chat.startConversation('Agent');
		fakeToolCall(
			'agentWorkbench_runAgent',
			{ agent: 'summarize', inputs: { text: 'One. **Two**.', sentences: 1 } },
			'It has been summed up.',
		);
		await chat.sendMessage('Sum it up');
		const card = chat.getCard("Run agent 'summarize' on 'Built-in gateway'?");
		await card.getByText('Running it will publish the saved agent file').waitFor();
		await session.workbench.takeScreenshot('vscode-chat-card');
		assert.equal(getToolResult(), '', 'nothing runs before the confirmation');
		await chat.allowTool("Run agent 'summarize'");
		await chat.reply.getByText('It has been summed up.').waitFor();
		await session.workbench.takeScreenshot('vscode-chat-agent');
		assert.match(getToolResult(), /\\"status\\": \\"succeeded\\"/);
	});

	it('calls an agent as a tool of the MCP server', async () => {
		await chat.startConversation('Agent');
		fakeToolCall('mcp_agent_workben_summarize', { text: 'One. Two.', sentences: 1 }, 'The server has summed it up.');
		await chat.sendMessage('Sum it up by the server');
		await chat.allowTool('summarize');
		await chat.reply.getByText('The server has summed it up.').waitFor();
		await session.workbench.takeScreenshot('vscode-chat-mcp');
		assert.match(getToolResult(), /summary/);
	});
});
