import assert from 'node:assert/strict';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { configSchema } from '#gateway/setup/config.ts';
import { RouteTable } from '#models/routeTable.ts';
import { createUpstreamHeaders, createUpstreamQuery, getRouteKey } from '#models/upstreamRequest.ts';

const { routes } = configSchema.parse({
	routes: [
		{ model: 'claude-exact', provider: 'ollama' },
		{ model: 'claude-*', provider: 'anthropic', base_url: 'https://gw.example/anthropic/v1/', key: 'A' },
		{ model: '*flash*', provider: 'google', upstream_model: 'gemini-flash', key: 'MISSING' },
		{ model: 'a.b*[x]', provider: 'openai-compatible', base_url: 'http://127.0.0.1:1234/v1' },
		{ model: 'named', provider: 'offline' },
	],
});

describe('routing table', () => {
	const table = new RouteTable(routes, new Map([['A', 'secret']]));

	it('uses the first matching route, and refuses names without one', () => {
		const found = Object.fromEntries(
			['claude-exact', 'claude-exact2', 'claude-', 'my-flash-model', 'a.b-7[x]', 'axb[x]', 'xclaude-', '', 'offline', 'offline-slow'].map(
				name => [name, table.findRoute(name)?.provider],
			),
		);
		assert.deepEqual(found, {
			'claude-exact': 'ollama',
			'claude-exact2': 'anthropic',
			'claude-': 'anthropic',
			'my-flash-model': 'google',
			'a.b-7[x]': 'openai-compatible',
			'axb[x]': undefined,
			'xclaude-': undefined,
			'': undefined,
			offline: 'offline',
			'offline-slow': 'offline',
		});
		assert.throws(
			() => table.getRoute('claude_exact'),
			/The model 'claude_exact' isn't served here\. Available models: claude-exact, claude-\*, /,
		);
	});

	it('uses the offline model for every name if there is no route, or if configured', () => {
		assert.equal(new RouteTable().getRoute('any').provider, 'offline');
		assert.equal(new RouteTable(routes, new Map(), true).getRoute('any').provider, 'offline');
	});

	it('refuses a name that is too long for a model', () => {
		const assertRefused = (name: string) =>
			assert.throws(
				() => table.findRoute(name),
				(error: unknown) => error instanceof ServiceFault && error.status === 400 && /at most 512/.test(error.message),
			);
		assertRefused('/'.repeat(300_000));
		assertRefused('m'.repeat(513));
		assert.equal(table.getRoute(`claude-${'m'.repeat(500)}`).provider, 'anthropic');
	});

	it("uses a route's price, else the user's, else the published one of the provider's own service", () => {
		const price = { input: 9, output: 9, currency: 'EUR' };
		const priced = configSchema.parse({
			routes: [
				{ model: 'own', provider: 'anthropic', upstream_model: 'claude-haiku-4-5', price },
				{ model: 'mine-*', provider: 'anthropic' },
				{ model: 'short', provider: 'anthropic', upstream_model: 'claude-haiku-4-5-20251001', fallback: ['claude-opus-5'] },
				{ model: 'claude-haiku-4-5', provider: 'anthropic', base_url: 'https://reseller.example' },
				{ model: '*', provider: 'anthropic' },
			],
			prices: [{ model: 'mine-*', input: 1, output: 2 }],
		});
		const table = new RouteTable(priced.routes, new Map(), false, priced.prices);
		const getInput = (model: string) => table.getRoute(model).price?.input;
		assert.deepEqual(table.getRoute('own').price, price);
		assert.deepEqual(table.getRoute('mine-x').price, { input: 1, output: 2, currency: 'USD' });
		assert.deepEqual(['short', 'claude-haiku-4-5', 'claude-opus-5', 'claude-unheard-of', 'offline'].map(getInput), [
			1,
			undefined,
			5,
			undefined,
			undefined,
		]);
		assert.deepEqual(
			table.getPlan('short').map(route => route.price?.input),
			[1, 5],
		);
	});

	it('knows the addresses of providers, with or without their version', () => {
		assert.deepEqual(
			['claude-x', 'flash', 'claude-exact', 'a.b[x]'].map(name => table.getRoute(name)).map(({ origin, prefix }) => [origin, prefix]),
			[
				['https://gw.example', '/anthropic'],
				['https://generativelanguage.googleapis.com', ''],
				['http://127.0.0.1:11434', ''],
				['http://127.0.0.1:1234', '/v1'],
			],
		);
	});

	it('lists the models of routes without a pattern, and the offline model', () => {
		assert.deepEqual(table.getListedNames(), ['claude-exact', 'named', 'offline']);
	});

	it('refuses a route whose key is missing', () => {
		assert.equal(getRouteKey(table.getRoute('claude-x')), 'secret');
		assert.equal(getRouteKey(table.getRoute('claude-exact')), undefined);
		assert.throws(
			() => getRouteKey(table.getRoute('flash')),
			(error: unknown) => error instanceof ServiceFault && error.status === 401 && /MISSING/.test(error.message),
		);
	});

	it('requires an address for an openai-compatible service', () => {
		const result = configSchema.safeParse({ routes: [{ model: 'x', provider: 'openai-compatible' }] });
		assert.deepEqual(result.error?.issues[0]?.path, ['routes', 0, 'base_url']);
	});

	it("sends neither the caller's credentials nor connection headers upstream", () => {
		const sent = createUpstreamHeaders(table.getRoute('claude-x'), {
			'x-api-key': 'caller',
			authorization: 'Bearer caller',
			'x-goog-api-key': 'caller',
			cookie: 'c',
			host: 'h',
			connection: 'keep-alive',
			'content-length': '3',
			'provider-version': '2023-06-01',
			'anthropic-beta': 'b',
		});
		assert.deepEqual(sent, { 'anthropic-beta': 'b', 'anthropic-version': '2023-06-01', 'x-api-key': 'secret' });
		assert.equal(createUpstreamQuery('key=1&alt=sse&key=2&monkey=3'), '?alt=sse&monkey=3');
		assert.equal(createUpstreamQuery('key=1'), '');
	});
});
