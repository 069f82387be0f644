import { once } from 'node:events';
import http from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { DifyDeployment } from './difyDeployment.ts';
import { type Exchange, findRoute, Refusal, Reply, Stream, type Surface } from './exchange.ts';
import { type Fault, proxyPage } from './faults.ts';
import type { Fields } from './state.ts';

/** Creates the server of a fake deployment: finds surface and route, applies planned faults, writes responses and streams. */
export function createDifyServer(fake: DifyDeployment, surfaces: () => readonly Surface[]): http.Server {
	return http.createServer((request, response) => {
		void handleRequest(fake, surfaces(), request, response).catch((error: unknown) => {
			fake.errors.push(error);
			response.destroy();
		});
	});
}

async function handleRequest(
	fake: DifyDeployment,
	surfaces: readonly Surface[],
	request: http.IncomingMessage,
	response: http.ServerResponse,
): Promise<void> {
	const raw = await readRequestBody(request);
	const url = new URL(request.url ?? '', 'http://localhost');
	const { method = 'GET' } = request;
	const exchange: Exchange = {
		fake,
		request,
		method,
		path: url.pathname,
		query: url.searchParams,
		params: {},
		body: parseBodyFields(raw),
		raw,
		cookies: [],
	};
	const fault = fake.faults.takeFault(exchange);
	const entry = fake.logRequest(exchange);
	if (fault?.kind === 'held') {
		await (typeof fault.until === 'function' ? fault.until() : fault.until);
	}
	const surface = surfaces.find(each => exchange.path.startsWith(`${each.prefix}/`));
	const answered = getRefusal(fault) ?? (await routeRequest(exchange, surface));
	if (answered instanceof Stream) {
		entry.status = 200;
		await streamEvents(fake, response, answered, exchange, fault);
		return;
	}
	const reply = toReply(answered, surface);
	entry.status = reply.status;
	if (fault?.kind === 'lost') {
		response.destroy();
		return;
	}
	const headers = { 'content-type': reply.type, ...fake.getSurfaceHeaders(surface), ...reply.headers };
	if (exchange.cookies.length > 0) {
		response.setHeader('set-cookie', exchange.cookies);
	}
	response.writeHead(reply.status, headers).end(reply.status === 204 ? undefined : reply.body);
}

function getRefusal(fault: Fault | undefined): Refusal | Reply | undefined {
	if (fault?.kind === 'page') {
		return new Reply(fault.status, proxyPage, 'text/html');
	}
	if (fault?.kind !== 'refuse') {
		return undefined;
	}
	const { status, code = 'unknown', message = 'Refused as planned', retryAfter } = fault;
	return new Refusal(status, code, message, {}, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
}

async function routeRequest(exchange: Exchange, surface: Surface | undefined): Promise<unknown> {
	const found = surface && findRoute(surface.getRoutes(), exchange.method, exchange.path.slice(surface.prefix.length));
	if (!surface || !found) {
		return new Reply(404, proxyPage, 'text/html');
	}
	exchange.params = found.params;
	try {
		surface.authorizeRequest(exchange, found.route);
		return await found.route.handle(exchange);
	} catch (error) {
		if (error instanceof Refusal) {
			return error;
		}
		throw error;
	}
}

function toReply(
	answered: unknown,
	surface: Surface | undefined,
): { status: number; body: string | Buffer; type: string; headers: Record<string, string> } {
	if (answered instanceof Refusal) {
		const body = surface?.formatRefusal(answered) ?? { message: answered.message };
		return { status: answered.status, body: JSON.stringify(body), type: 'application/json', headers: answered.headers };
	}
	if (answered instanceof Reply) {
		const { status, body, type } = answered;
		return { status, body: type === 'application/json' ? JSON.stringify(body) : (body as string | Buffer), type, headers: {} };
	}
	return { status: 200, body: JSON.stringify(answered ?? null), type: 'application/json', headers: {} };
}

async function streamEvents(
	fake: DifyDeployment,
	response: http.ServerResponse,
	{ events }: Stream,
	exchange: Exchange,
	fault: Fault | undefined,
): Promise<void> {
	let left = fault?.kind === 'cut' ? fault.afterEvents : fault?.kind === 'lost' ? 0 : Infinity;
	const closed = once(response, 'close');
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...fake.getSurfaceHeaders(undefined) });
	response.flushHeaders();
	for await (const event of events) {
		if (response.destroyed || left <= 0) {
			break;
		}
		const written = response.write(event ? `data: ${JSON.stringify(event)}\n\n` : 'event: ping\n\n');
		left -= 1;
		if (!written) {
			await Promise.race([once(response, 'drain'), closed]);
		}
	}
	if (left <= 0 && fault) {
		// the written data is sent first
		await setImmediate();
		response.destroy();
	} else {
		response.end();
	}
	exchange.request.resume();
}

async function readRequestBody(request: http.IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) {
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks);
}

function parseBodyFields(raw: Buffer): Fields {
	try {
		const value: unknown = JSON.parse(raw.toString());
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
	} catch {
		return {};
	}
}
