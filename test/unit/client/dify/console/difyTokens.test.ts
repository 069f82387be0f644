import assert from 'node:assert/strict';
import { readConsoleTokens } from '#client/dify/console/consoleTokens.ts';
import type { Reply } from '#client/replyCollector.ts';

describe("tokens of Dify's console", () => {
	const createToken = (seconds: number) => `head.${Buffer.from(JSON.stringify({ exp: seconds })).toString('base64url')}.sign`;
	const readExpiry = (there: number, date: string | undefined) =>
		readConsoleTokens(
			{
				status: 200,
				headers: { ...(date !== undefined && { date }) },
				body: JSON.stringify({ result: 'success', data: { access_token: createToken(there / 1000 + 3600), refresh_token: 'refresh' } }),
			} as Reply,
			{ sends: 'bearer', password: 'plain' },
		)?.until;

	for (const hours of [-24, 0, 24]) {
		it(`are valid for their hour if the server's clock is ${hours} hours off`, () => {
			const there = Math.floor(Date.now() / 1000) * 1000 + hours * 3_600_000;
			const left = readExpiry(there, new Date(there).toUTCString())! - Date.now();
			assert.ok(Math.abs(left - 3_600_000) < 60_000, String(left));
		});
	}

	it("expire at their own time if the response doesn't contain one", () => {
		const there = Math.floor(Date.now() / 1000) * 1000;
		assert.equal(readExpiry(there, undefined), there + 3_600_000);
		assert.equal(readExpiry(there, 'yesterday'), there + 3_600_000);
	});
});
