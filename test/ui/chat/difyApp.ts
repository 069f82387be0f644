import http from 'node:http';
import { closeServers, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';

/** A Dify service API with one app that has all features enabled. */
export interface DifyApp {
	readonly url: string;
	/** Method and path of each request, with its body if it is JSON. */
	readonly asked: { readonly to: string; readonly body: Readonly<Record<string, unknown>> }[];
	/** Defines the events of the next messages. */
	events: readonly Readonly<Record<string, unknown>>[];
	/** Audio for every text: its media type and bytes. */
	speech: { readonly type: string; readonly data: Buffer };
	/** Bytes of every file created by its tools: a PNG. */
	picture: Buffer;
	readonly annotations: { id: string; question: string; answer: string; hit_count: number; created_at: number }[];
	close(): Promise<void>;
}

const on = { enabled: true };
const parameters = {
	suggested_questions_after_answer: on,
	speech_to_text: on,
	text_to_speech: on,
	retriever_resource: on,
	annotation_reply: on,
	user_input_form: [],
};

/** Starts it on loopback. */
export async function startDifyApp(): Promise<DifyApp> {
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const text = Buffer.concat(chunks).toString();
		const { pathname } = new URL(request.url ?? '/', 'http://localhost');
		const to = `${request.method} ${pathname}`;
		const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>;
		app.asked.push({ to, body });
		handleRequest(to, body, response);
	});
	const handleRequest = (to: string, body: Readonly<Record<string, unknown>>, response: http.ServerResponse) => {
		const sendJson = (value: unknown, status = 200) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		const annotation = /^PUT .*\/annotations\/(.+)$/.exec(to);
		if (to === 'GET /v1/parameters') {
			sendJson(parameters);
		} else if (to === 'POST /v1/chat-messages') {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			for (const event of app.events) {
				response.write(`data: ${JSON.stringify({ task_id: 't', message_id: 'm1', conversation_id: 'c1', ...event })}\n\n`);
			}
			response.end();
		} else if (to.startsWith('GET /files/')) {
			response.writeHead(200, { 'content-type': 'image/png' }).end(app.picture);
		} else if (to.endsWith('/suggested')) {
			sendJson({ result: 'success', data: ['Can I take them in one go?', '<img src=x onerror=alert(1)>'] });
		} else if (to.endsWith('/feedbacks')) {
			sendJson({ result: 'success' });
		} else if (to === 'POST /v1/text-to-audio') {
			response.writeHead(200, { 'content-type': app.speech.type }).end(app.speech.data);
		} else if (to === 'GET /v1/apps/annotations') {
			sendJson({ data: app.annotations, has_more: false, limit: 20, total: app.annotations.length, page: 1 });
		} else if (to === 'POST /v1/apps/annotations') {
			const made = {
				id: `a${app.annotations.length + 1}`,
				question: String(body['question']),
				answer: String(body['answer']),
				hit_count: 0,
				created_at: 1,
			};
			app.annotations.push(made);
			sendJson(made, 201);
		} else if (annotation) {
			sendJson(Object.assign(app.annotations.find(({ id }) => id === annotation[1]) ?? {}, body));
		} else {
			sendJson({ code: 'not_found', message: 'Not Found', status: 404 }, 404);
		}
	};
	await listenOnLoopback(server);
	const app: DifyApp = {
		url: getServerUrl(server),
		asked: [],
		events: [],
		speech: { type: 'audio/mpeg', data: Buffer.from('') },
		picture: Buffer.from(''),
		annotations: [],
		close: () => closeServers(server),
	};
	return app;
}
