import assert from 'node:assert/strict';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Route } from '#gateway/server/route.ts';
import { getPathGroup, Router } from '#gateway/server/router.ts';

const createTestRoute = (method: Route['method'], path: string): Route => ({ method, path, group: 'agent', handle: () => {} });

describe('Router', () => {
	const router = new Router();
	router.add([
		createTestRoute('GET', '/v1/agent/workflows/logs'),
		createTestRoute('GET', '/v1/agent/workflows/run/{id}'),
		createTestRoute('DELETE', '/v1/agent/conversations/{id}'),
		createTestRoute('POST', '/v1/agent/conversations/{id}/name'),
		{ ...createTestRoute('POST', '/v1beta/models/{model+}:generateContent'), group: 'content' },
		{ ...createTestRoute('POST', '/v1beta/models/{model+}:streamGenerateContent'), group: 'content' },
		{ ...createTestRoute('GET', '/v1beta/models/{model+}'), group: 'content' },
	]);
	const matchRoute = (method: string, path: string) => {
		const { route, params } = router.findRoute(method, path);
		return [route.path, params];
	};

	it('finds fixed paths and decodes placeholders', () => {
		assert.deepEqual(matchRoute('GET', '/v1/agent/workflows/logs'), ['/v1/agent/workflows/logs', {}]);
		assert.deepEqual(matchRoute('GET', '/v1/agent/workflows/run/a%20b%2Fc'), ['/v1/agent/workflows/run/{id}', { id: 'a b/c' }]);
		assert.deepEqual(matchRoute('POST', '/v1/agent/conversations/x/name')[1], { id: 'x' });
	});

	it('splits a model name from its verb at the last colon', () => {
		assert.deepEqual(matchRoute('POST', '/v1beta/models/gemini-pro:generateContent')[1], { model: 'gemini-pro' });
		assert.deepEqual(matchRoute('POST', '/v1beta/models/tuned/a:b:generateContent')[1], { model: 'tuned/a:b' });
		assert.deepEqual(matchRoute('POST', '/v1beta/models/gemini%2Fpro%3AgenerateContent')[1], { model: 'gemini/pro' });
		assert.equal(matchRoute('POST', '/v1beta/models/m:streamGenerateContent')[0], '/v1beta/models/{model+}:streamGenerateContent');
	});

	it('answers HEAD wherever GET works', () => {
		assert.equal(matchRoute('HEAD', '/v1/agent/workflows/logs')[0], '/v1/agent/workflows/logs');
		assert.throws(() => matchRoute('HEAD', '/v1/agent/conversations/x/name'), { status: 405 });
	});

	it("doesn't find unknown verbs of Google's API, nor paths without a model", () => {
		for (const path of ['/v1beta/models/m:embedContent', '/v1beta/models/:generateContent']) {
			assert.throws(() => matchRoute('POST', path), { status: 404 }, path);
		}
	});

	it("lists available paths for clients of OpenAI's API, and shows paths as the client wrote them", () => {
		assert.throws(() => router.findRoute('POST', '/chat/completions'), /Available paths for .*: \/v1\/chat\/completions/);
		assert.throws(() => router.findRoute('GET', '/v1/agent/nothing', '/dify/a/v1/nothing'), {
			message: "Unknown path '/dify/a/v1/nothing'.",
		});
	});

	it('refuses unknown paths, other methods and invalid percent sequences', () => {
		const getStatus = (method: string, path: string) => {
			try {
				router.findRoute(method, path);
				return 200;
			} catch (error) {
				assert.ok(error instanceof ServiceFault);
				return [error.status, error.details.headers?.['allow']];
			}
		};
		assert.deepEqual(getStatus('GET', '/v1/agent/workflows/logs/'), [404, undefined]);
		assert.deepEqual(getStatus('GET', '/v1/agent/workflows/run/'), [404, undefined]);
		assert.deepEqual(getStatus('GET', '/v1/agent/workflows/run/a/b'), [404, undefined]);
		assert.deepEqual(getStatus('POST', '/v1/agent/workflows/logs'), [405, 'GET']);
		assert.deepEqual(getStatus('GET', '/v1/agent/conversations/x'), [405, 'DELETE']);
		assert.deepEqual(getStatus('GET', '/v1/agent/workflows/run/%zz'), [400, undefined]);
	});

	it('chooses the protocol of an error by the path, and for model lists by the version header', () => {
		const paths = [
			'/v1/agent/x',
			'/v1/messages',
			'/v1beta/models',
			'/else',
			'/v1/chat/completions',
			'/v1/responses/resp_1',
			'/v1/complete',
		];
		assert.deepEqual(
			paths.map(path => getPathGroup(path)),
			['agent', 'messages', 'content', 'agent', 'openai', 'openai', 'messages'],
		);
		assert.equal(getPathGroup('/v1/models'), 'openai');
		assert.equal(getPathGroup('/v1/models/a/b', { 'anthropic-version': '2023-06-01' }), 'messages');
		assert.equal(getPathGroup('/v1/models', { 'provider-version': '2023-06-01' }), 'messages');
	});
});
