import assert from 'node:assert/strict';
import { findSlowness } from '../../../scripts/lib/slowPattern.ts';

describe('findSlowness', () => {
	const findSlow = (patterns: readonly RegExp[]) => patterns.map(pattern => `${pattern} ${findSlowness(pattern)}`);
	const formatExpected = (patterns: readonly RegExp[], slowness: string) => patterns.map(pattern => `${pattern} ${slowness}`);

	it('finds patterns with ambiguous loops', () => {
		const slow = [
			/\s+$/,
			/<title[^>]*>([^<]*)<\/title>/i,
			/<think>[\s\S]*?<\/think>/g,
			/([^&;=]+)=([^&;]*)/g,
			/[ \t]*(?:\r\n|[\n\r])(?:[ \t]*(?:\r\n|[\n\r]))*[ \t]*/g,
			/^.*\/.*:free$/s,
			/^\d+\.?\d*$/,
			/\w+\b!/,
			/a(?=.*b)/,
			/(?<=[.!?]\s*)\S/,
			/\d{16,}x/,
		];
		assert.deepEqual(findSlow(slow), formatExpected(slow, 'polynomial'));
		const worse = [/(a*)*b/, /(?:a|a)*b/, /^(?:\w+\s?)*$/];
		assert.deepEqual(findSlow(worse), formatExpected(worse, 'exponential'));
	});

	it('accepts patterns that run in linear time', () => {
		const fast = [
			/^\s+$/,
			/\s+/g,
			/(?<!\s)\s+$/,
			/\bx+\b/,
			/^a*xa*xa*$/,
			/^\d+(?:\.\d*)?$/,
			/<think(?:\s[^<>]{0,512})?>/i,
			/(?<![\w.])\d{16,}(?![\w.])/g,
			/^ +x/m,
			/x\s+y/y,
			/^(?:(?:a|b)+,)*$/,
		];
		assert.deepEqual(findSlow(fast), formatExpected(fast, 'undefined'));
	});

	it('accepts a slow pattern that is sticky', () => {
		assert.equal(findSlowness(/\s+x/), 'polynomial');
		assert.equal(findSlowness(/\s+x/y), undefined);
	});
});
