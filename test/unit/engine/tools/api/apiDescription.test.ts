import assert from 'node:assert/strict';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { type ApiOperation, readDescription } from '#engine/tools/api/apiDescription.ts';
import { callApi } from '#engine/tools/api/callApi.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Describes one operation, `POST /orders/{id}`. */
function describeOperation(operation: Fields, more: Fields = {}): ApiOperation {
	const paths = { '/orders/{id}': { post: { operationId: 'call', ...operation } } };
	const description = readDescription(JSON.stringify({ openapi: '3.0.0', servers: [{ url: 'https://shop.example/v1' }], paths, ...more }));
	return description.readOperation('call')!;
}

const createBody = (schema: Fields, type = 'application/json') => ({ required: true, content: { [type]: { schema } } });
const text = { type: 'string' };
const id = { name: 'id', in: 'path', required: true, schema: text };

/** Returns the request that a call sends. */
async function captureRequest(operation: ApiOperation, given: Fields): Promise<{ url: string; body: string; type: string | undefined }> {
	let sent = { url: '', body: '', type: undefined as string | undefined };
	const http: EngineServices['http'] = async ({ url, body, headers }) => {
		sent = { url: String(url), body: String(body ?? ''), type: headers['content-type'] };
		return { status: 200, headers: [], body: Buffer.from('{}') } as never;
	};
	const services = { http, settings: { network: true, allowPrivateNetwork: true } } as unknown as EngineServices;
	await callApi(operation, given, {
		base: operation.server ?? '',
		headers: {},
		maskKeys: said => said,
		services,
		signal: new AbortController().signal,
	});
	return sent;
}

describe('an operation of an OpenAPI description', () => {
	it('keeps the fields of its body, however many operations come before it', () => {
		const properties = Object.fromEntries(
			Array.from({ length: 20 }, (_, at) => [`field${at}`, { ...text, description: 'd', example: 'e' }]),
		);
		const paths = Object.fromEntries(
			Array.from({ length: 600 }, (_, at) => [
				`/orders${at}`,
				{ post: { operationId: `call${at}`, requestBody: createBody({ $ref: '#/components/schemas/Order' }) } },
			]),
		);
		const components = { schemas: { Order: { type: 'object', properties } } };
		const description = readDescription(JSON.stringify({ openapi: '3.0.0', paths, components }));
		assert.equal(description.names.length, 600);
		assert.equal(description.readOperation('call599')?.places.size, 20);
	});

	it('has the fields of all schemas that its body combines', () => {
		const requestBody = createBody({
			allOf: [
				{ $ref: '#/components/schemas/Base' },
				{ properties: { b: text }, required: ['b'] },
				{ allOf: [{ properties: { c: text } }] },
			],
		});
		const { parameters } = describeOperation(
			{ requestBody },
			{ components: { schemas: { Base: { properties: { a: text }, required: ['a'] } } } },
		);
		assert.deepEqual(parameters, { type: 'object', properties: { a: text, b: text, c: text }, required: ['a', 'b'] });
	});

	it('reads schemas that combine each other once', () => {
		const reference = { $ref: '#/components/schemas/Loop' };
		const loop = { properties: { a: text }, allOf: Array.from({ length: 50 }, () => reference) };
		const { parameters } = describeOperation({ requestBody: createBody(reference) }, { components: { schemas: { Loop: loop } } });
		assert.deepEqual(parameters['properties'], { a: text });
	});

	it('takes a body that is a list, one of several schemas, or any map as one parameter', async () => {
		for (const schema of [{ type: 'array', items: text }, { oneOf: [{ properties: { a: text } }] }, { type: 'object' }]) {
			const operation = describeOperation({ parameters: [id], requestBody: createBody(schema) });
			assert.deepEqual(operation.parameters['properties'], { body: schema, id: text });
			assert.deepEqual(operation.parameters['required'], ['body', 'id']);
			assert.equal((await captureRequest(operation, { id: '1', body: ['x'] })).body, '["x"]');
		}
	});

	it('sends a value to the path and to the body if both have it', async () => {
		const requestBody = createBody({ type: 'object', properties: { id: text, name: text } });
		const { url, body } = await captureRequest(describeOperation({ parameters: [id], requestBody }), { id: '7', name: 'n' });
		assert.equal(url, 'https://shop.example/v1/orders/7');
		assert.deepEqual(JSON.parse(body), { id: '7', name: 'n' });
	});

	it('sends JSON with the media type of the description, and names a body type that cannot be sent', async () => {
		const schema = { properties: { a: text } };
		for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json']) {
			const sent = await captureRequest(describeOperation({ parameters: [id], requestBody: createBody(schema, type) }), {
				id: '1',
				a: 'x',
			});
			assert.deepEqual(sent, { url: 'https://shop.example/v1/orders/1', body: '{"a":"x"}', type });
		}
		assert.throws(
			() => describeOperation({ requestBody: createBody(schema, 'multipart/form-data') }),
			/isn't supported: multipart\/form-data/,
		);
	});

	it('fills the variables of its address, and prefers its own address', () => {
		const servers = [{ url: 'https://{region}.example/{version}', variables: { region: { default: 'eu' }, version: { default: 'v2' } } }];
		assert.equal(describeOperation({}, { servers }).server, 'https://eu.example/v2');
		assert.equal(describeOperation({ servers: [{ url: 'https://own.example' }] }, { servers }).server, 'https://own.example');
	});

	it('sends lists as one value where the description says so', async () => {
		const tags = { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: text } };
		const more = { name: 'more', in: 'query', schema: { type: 'array', items: text } };
		const { url } = await captureRequest(describeOperation({ parameters: [id, tags, more] }), {
			id: ['1', '2'],
			tags: ['a', 'b'],
			more: ['c', 'd'],
		});
		assert.equal(url, 'https://shop.example/v1/orders/1%2C2?tags=a%2Cb&more=c&more=d');
	});

	it('sends objects and lists in the style of the description, so that the service does not ignore a filter', async () => {
		const list = { type: 'array', items: text };
		const parameters = [
			id,
			{ name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
			{ name: 'piped', in: 'query', style: 'pipeDelimited', explode: false, schema: list },
			{ name: 'spaced', in: 'query', style: 'spaceDelimited', schema: list },
			{ name: 'each', in: 'query', style: 'pipeDelimited', explode: true, schema: list },
		];
		const { url } = await captureRequest(describeOperation({ parameters }), {
			id: '1',
			filter: { created: { gte: 5 }, state: ['open', 'new'], empty: {}, none: null },
			piped: ['a', 'b'],
			spaced: ['a', 'b'],
			each: ['a', 'b'],
		});
		assert.deepEqual(
			[...new URL(url).searchParams],
			[
				['filter[created][gte]', '5'],
				['filter[state]', 'open'],
				['filter[state]', 'new'],
				['piped', 'a|b'],
				['spaced', 'a b'],
				['each', 'a'],
				['each', 'b'],
			],
		);
	});

	it('follows encoded references into lists, and names a reference to another file', () => {
		const parameters = [{ $ref: '#/x-shared/~1orders~1%7Bid%7D/0' }];
		assert.deepEqual(describeOperation({ parameters }, { 'x-shared': { '/orders/{id}': [id] } }).parameters['required'], ['id']);
		assert.throws(() => describeOperation({ requestBody: createBody({ $ref: './order.yaml' }) }), /refers to '\.\/order\.yaml'/);
	});

	it('can have parameters with names of prototypes', () => {
		const parameters = [{ name: '__proto__', in: 'query', schema: text }];
		assert.deepEqual(Object.entries(describeOperation({ parameters }).parameters['properties'] as Fields), [['__proto__', text]]);
	});
});
