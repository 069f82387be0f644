import assert from 'node:assert/strict';
import { cleanUp, startGateway } from './gatewayProcess.ts';

describe('/openapi.json', () => {
	after(cleanUp);

	it('describes every operation that is served, with the schemas of the contract', async () => {
		const gateway = await startGateway();
		const response = await fetch(`${gateway.baseUrl}/openapi.json`);
		// biome-ignore lint/suspicious/noExplicitAny: a description is looked into freely
		const description = (await response.json()) as any;
		assert.equal(description.openapi, '3.1.0');
		const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
			Object.entries(methods as object).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
		);
		assert.ok(operations.length > 25);
		for (const { path, method, operation } of operations) {
			assert.notEqual(operation.summary, '', `${method} ${path} is not described`);
			const served = await fetch(gateway.baseUrl + path.replaceAll(/\{\w+\}/g, 'x'), { method });
			assert.doesNotMatch(await served.text(), /Nothing is served|is not allowed here/, `${method} ${path}`);
		}
		const run = description.paths['/v1/agent/workflows/run'].post.requestBody.content['application/json'].schema;
		assert.deepEqual(run.required, ['model', 'inputs', 'response_mode', 'user']);
		const logs = description.paths['/v1/agent/workflows/logs'].get.parameters;
		assert.deepEqual(
			logs.map((parameter: { name: string }) => parameter.name),
			['model', 'keyword', 'status', 'page', 'limit'],
		);
		assert.deepEqual(
			logs.filter((parameter: { required: boolean }) => parameter.required).map((parameter: { name: string }) => parameter.name),
			['model'],
		);
	});
});
