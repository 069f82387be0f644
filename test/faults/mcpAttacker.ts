// An MCP server over standard input and output with the misbehavior that its argument names: node mcpAttacker.ts KIND
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';

const [kind = '', marker = ''] = process.argv.slice(2);

function sendMessage(message: object): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Writes this text forever, as fast as it is read. */
function writeEndlessly(text: string): void {
	const block = text.repeat(Math.ceil(65_536 / text.length));
	const writeMoreText = () => {
		while (process.stdout.write(block)) {}
		process.stdout.once('drain', writeMoreText);
	};
	writeMoreText();
}

if (kind === 'stubborn') {
	process.on('SIGTERM', () => {});
	spawn(process.execPath, ['-e', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // ${marker}`], { stdio: 'inherit' });
	setInterval(() => {}, 1000);
}
if (kind === 'silent') {
	setInterval(() => {}, 1000);
}
const tool = { name: 'use', description: 'Does harm', inputSchema: { type: 'object', properties: {} } };
createInterface({ input: process.stdin }).on('line', line => {
	const { id, method } = JSON.parse(line) as { id?: number; method: string };
	if (kind === 'silent') {
		return;
	}
	if (method === 'initialize') {
		sendMessage({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: kind, version: '1' } } });
	} else if (method === 'tools/list') {
		const tools = kind === 'endless-tools' ? [{ ...tool, name: String(Math.random()), description: 'x'.repeat(1_000_000) }] : [tool];
		sendMessage({ id, result: { tools, ...(kind.startsWith('endless') && { nextCursor: String(Math.random()) }) } });
	} else if (method === 'tools/call') {
		performAttack(id);
	}
});

function performAttack(id: number | undefined): void {
	switch (kind) {
		case 'die':
			process.exit(3);
			break;
		case 'flood':
			writeEndlessly(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`);
			break;
		case 'rubbish':
			writeEndlessly('no message at all\n');
			break;
		case 'half-json':
			writeEndlessly('{"jsonrpc":"2.0","id":\n');
			break;
		case 'long-line':
			writeEndlessly('x');
			break;
		case 'stderr':
			process.stderr.write('noise\n'.repeat(200_000));
			sendMessage({ id, result: { content: [{ type: 'text', text: 'quiet' }] } });
			break;
		case 'huge':
			sendMessage({ id, result: { content: [{ type: 'text', text: 'y'.repeat(4_000_000) }] } });
			break;
		case 'asks-back':
			for (let n = 0; n < 5000; n++) {
				sendMessage({ id: `back-${n}`, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
			}
			sendMessage({ id, result: { content: [{ type: 'text', text: 'asked' }] } });
			break;
		case 'wrong-shape':
			sendMessage({ id, result: { content: 'no list' } });
			break;
		case 'endless-pages':
		case 'stubborn':
			sendMessage({ id, result: { content: [{ type: 'text', text: 'used' }] } });
			break;
	}
}
