import assert from 'node:assert/strict';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { OpenAiErrorBody } from '#contract/errors.ts';
import { createErrorBody } from '#contract/faults/errorBody.ts';
import { getFaultKind, getMessagesStatus } from '#contract/faults/faultKinds.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { AllowedOrigins } from '#gateway/server/allowedOrigins.ts';
import { Authenticator } from '#gateway/server/auth.ts';
import { HostGuard } from '#gateway/server/hostGuard.ts';

const createRequest = (headers: Record<string, string>) =>
	({ headers, rawHeaders: Object.entries(headers).flat() }) as unknown as IncomingMessage;

/** Returns the status of a check; 200 if it passes. */
function getStatus(check: () => void): number {
	try {
		check();
		return 200;
	} catch (error) {
		assert.ok(error instanceof ServiceFault);
		return error.status;
	}
}

describe('Authenticator', () => {
	const auth = new Authenticator('the-key');
	const getGroupStatus = (group: RouteGroup, headers: Record<string, string>, search = '') =>
		getStatus(() => auth.checkRequest(group, createRequest(headers), search));

	it('accepts the credential of each group', () => {
		assert.equal(getGroupStatus('agent', { authorization: 'Bearer the-key' }), 200);
		assert.equal(getGroupStatus('agent', { authorization: 'bearer  the-key ' }), 200);
		assert.equal(getGroupStatus('messages', { 'x-api-key': 'the-key' }), 200);
		assert.equal(getGroupStatus('messages', { authorization: 'Bearer the-key' }), 200);
		assert.equal(getGroupStatus('content', {}, 'alt=sse&key=the-key'), 200);
		assert.equal(getGroupStatus('content', { 'x-goog-api-key': 'the-key' }), 200);
		assert.equal(getGroupStatus('open', {}), 200);
	});

	it('refuses missing and wrong credentials, and those of another group', () => {
		assert.equal(getGroupStatus('agent', {}), 401);
		assert.equal(getGroupStatus('agent', { 'x-api-key': 'the-key' }), 401);
		assert.equal(getGroupStatus('agent', {}, 'key=the-key'), 401);
		for (const key of ['', 'the-ke', 'the-key2', 'the-key, the-key', 'THE-KEY']) {
			assert.equal(getGroupStatus('agent', { authorization: `Bearer ${key}` }), 401);
			assert.equal(getGroupStatus('messages', { 'x-api-key': key }), 401);
		}
		assert.equal(getGroupStatus('messages', {}), 401);
		assert.equal(getGroupStatus('messages', { 'x-api-key': '', authorization: 'Bearer the-key' }), 200, 'an empty key is none');
		assert.equal(getGroupStatus('content', { 'x-goog-api-key': '' }, 'key=the-key'), 200);
		assert.equal(getGroupStatus('messages', { 'x-api-key': 'wrong', authorization: 'Bearer the-key' }), 401, 'x-api-key comes first');
		assert.equal(getGroupStatus('content', {}), 403);
		assert.equal(getGroupStatus('content', {}, 'key='), 403);
		assert.equal(getGroupStatus('content', {}, 'key=wrong'), 400);
	});

	it('compares the whole key, whatever was tried before', () => {
		const own = new Authenticator('kéy-of-the-gateway');
		const tryKey = (key: string) => getStatus(() => own.checkRequest('messages', createRequest({ 'x-api-key': key }), ''));
		for (const wrong of [
			'k',
			'kéy-of-the-gatewa',
			'kéy-of-the-gateway ',
			'kéy-of-the-gatewayx',
			'Kéy-of-the-gateway',
			'x'.repeat(100_000),
		]) {
			assert.deepEqual([tryKey(wrong), tryKey('kéy-of-the-gateway')], [401, 200], wrong.slice(0, 30));
		}
		assert.equal(getGroupStatus('content', {}, 'key=the-key%00'), 400);
		assert.equal(
			getStatus(() => new Authenticator('abc\0').checkRequest('content', createRequest({}), 'key=abc')),
			400,
		);
	});
});

describe('errorBody', () => {
	it("uses the caller's protocol", () => {
		const fault = new ServiceFault(404, 'gone', { params: 'x' });
		assert.deepEqual(createErrorBody('agent', fault, 'r'), { code: 'not_found', message: 'gone', status: 404, params: 'x' });
		assert.deepEqual(createErrorBody('messages', fault, 'r'), {
			type: 'error',
			error: { type: 'not_found_error', message: 'gone' },
			request_id: 'r',
		});
		assert.deepEqual(createErrorBody('openai', fault, 'r'), {
			error: { message: 'gone', type: 'invalid_request_error', param: 'x', code: 'model_not_found' },
		});
		assert.deepEqual(createErrorBody('openai', new ServiceFault(404, 'gone', { code: null }), 'r'), {
			error: { message: 'gone', type: 'invalid_request_error', param: null, code: null },
		});
		const kinds = [400, 401, 402, 403, 413, 429, 500, 502, 504, 529].map(status => {
			const { type, code } = (createErrorBody('openai', new ServiceFault(status, ''), 'r') as OpenAiErrorBody).error;
			return `${status} ${type} ${code}`;
		});
		assert.deepEqual(kinds, [
			'400 invalid_request_error null',
			'401 invalid_request_error invalid_api_key',
			'402 invalid_request_error insufficient_quota',
			'403 invalid_request_error null',
			'413 invalid_request_error null',
			'429 rate_limit_error rate_limit_exceeded',
			'500 server_error null',
			'502 server_error null',
			'504 server_error null',
			'529 server_error null',
		]);
		assert.deepEqual(createErrorBody('content', fault, 'r'), { error: { code: 404, message: 'gone', status: 'NOT_FOUND' } });
		assert.equal((createErrorBody('agent', new ServiceFault(502, ''), 'r') as { code: string }).code, 'internal_server_error');
	});
});

describe('faultKind', () => {
	it('returns the status of an Anthropic error type', () => {
		for (const status of [400, 401, 402, 403, 404, 409, 413, 429, 500, 504, 529]) {
			assert.equal(getMessagesStatus(getFaultKind(status).messages), status);
		}
		assert.equal(getMessagesStatus('no_such_error'), undefined);
	});
});

describe('HostGuard', () => {
	const status = (bound: string, headers: Record<string, string>) =>
		getStatus(() => new HostGuard(bound).checkHost(createRequest(headers)));

	it('accepts names of this machine with any port', () => {
		for (const host of ['127.0.0.1:80', 'localhost', 'LocalHost:1', '[::1]:5']) {
			assert.equal(status('127.0.0.1', { host }), 200, host);
		}
		assert.equal(status('0.0.0.0', { host: '192.168.1.7:8080' }), 200);
		assert.equal(status('0.0.0.0', { host: '[fe80::1]' }), 200);
	});

	it('accepts configured names', () => {
		const guard = new HostGuard('0.0.0.0', ['Gateway.example']);
		assert.equal(
			getStatus(() => guard.checkHost(createRequest({ host: 'gateway.example:8080' }))),
			200,
		);
		assert.equal(
			getStatus(() => guard.checkHost(createRequest({ host: 'gateway.example.evil.example' }))),
			403,
		);
	});

	it('refuses two hosts in either order', () => {
		const twice = {
			headers: { host: 'localhost' },
			rawHeaders: ['Host', 'localhost', 'HOST', 'evil.example'],
		} as unknown as IncomingMessage;
		assert.equal(
			getStatus(() => new HostGuard('127.0.0.1').checkHost(twice)),
			400,
		);
	});

	it('refuses names that a page can rebind', () => {
		for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost:80:80', '', '10.0.0.1']) {
			assert.equal(status('127.0.0.1', { host }), 403, host);
		}
		assert.equal(status('0.0.0.0', { host: 'evil.example' }), 403);
	});
});

describe('AllowedOrigins', () => {
	it('refuses any origin by default, and all but the configured ones otherwise', () => {
		const admitRequest = (allowed: readonly string[], headers: Record<string, string>) =>
			getStatus(() => new AllowedOrigins(allowed).admitOrigin(createRequest(headers), new ServerResponse(createRequest({}))));
		assert.equal(admitRequest([], { host: 'localhost', origin: 'http://localhost' }), 403);
		assert.equal(admitRequest([], { host: 'localhost' }), 200);
		assert.equal(admitRequest(['http://localhost:3000'], { origin: 'http://localhost:3000' }), 200);
		for (const origin of ['http://localhost', 'https://localhost:3000', 'null', '*', '']) {
			assert.equal(admitRequest(['http://localhost:3000'], { origin }), 403, origin);
		}
	});
});
