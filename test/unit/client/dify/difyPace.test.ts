import assert from 'node:assert/strict';
import { findConsoleRelease, getOpenapiGeneration } from '#client/dify/releases.ts';
import { Pace } from '#client/dify/requests/pace.ts';
import { isAtLeast } from '#contract/dify/releaseNumbers.ts';

describe('pace of requests to a Dify deployment', () => {
	it('sends no more requests per minute than the deployment accepts', () => {
		let now = 0;
		const pace = new Pace(60, () => now);
		for (let sent = 0; sent < 60; sent++) {
			assert.equal(pace.takeTurn(), 0);
			now += 100;
		}
		assert.equal(pace.takeTurn(), 54_000);
		now = 60_000;
		assert.equal(pace.takeTurn(), 0);
		assert.equal(pace.takeTurn(), 100);
	});

	it('waits as long as requested, but refuses to wait for more than a minute', () => {
		let now = 0;
		const pace = new Pace(Number.POSITIVE_INFINITY, () => now);
		pace.blockRequests(2000);
		assert.equal(pace.takeTurn(), 2000);
		now = 2000;
		assert.equal(pace.takeTurn(), 0);
		pace.blockRequests(3_600_000);
		assert.throws(() => pace.takeTurn(), { reason: 'rate-limited', retryAfterMs: 3_600_000 });
		pace.blockRequests(Number.POSITIVE_INFINITY);
		now += 3_600_000;
		assert.equal(pace.takeTurn(), 0);
	});
});

describe('releases of Dify', () => {
	it('are compared by their parts', () => {
		assert.deepEqual(
			['1.13.3', '1.13.10', '1.14', '2.0.0', '1.13.2', '1.9.9', 'v1.13.3-fix1', undefined, 'main'].map(release =>
				isAtLeast(release, '1.13.3'),
			),
			[true, true, true, true, false, false, true, false, false],
		);
	});

	it('have one password format each', () => {
		assert.deepEqual(
			['1.9.1', '1.9.2', '1.11.1', '1.11.2', '1.16.0', 'main'].map(release => findConsoleRelease(release)),
			[
				{ sends: 'bearer', password: 'plain' },
				{ sends: 'cookies', password: 'plain' },
				{ sends: 'cookies', password: 'plain' },
				{ sends: 'cookies', password: 'base64' },
				{ sends: 'cookies', password: 'base64' },
				undefined,
			],
		);
	});

	it('have a generation, and a catalog if they name one', () => {
		assert.equal(getOpenapiGeneration('1.15.2', false), 'openapi-1.15');
		assert.equal(getOpenapiGeneration('1.17.1', false), 'openapi-1.16');
		assert.equal(getOpenapiGeneration('1.17.1', true), 'openapi-1.18');
		assert.equal(getOpenapiGeneration('1.20.0', false), 'openapi-1.18');
	});
});
