import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { formatPosition } from '#cli/reports/failureText.ts';
import { formatFaultLine } from '#cli/reports/faultLine.ts';

const manifest = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../../package.json'), 'utf8'));
const [{ pattern }] = manifest.contributes.problemMatchers;
const matchLine = (line: string) => {
	const found = new RegExp(pattern.regexp).exec(line);
	return found && (['file', 'line', 'column', 'severity', 'message'] as const).map(part => found[pattern[part] as number]);
};
const place = { file: path.resolve('suites/a b.suite.json'), offset: 0, length: 1, line: 3, column: 5 };

describe('the problem matcher of the command line', () => {
	it('matches a problem of a file', () => {
		const line = formatFaultLine({ ...place, code: 'syntax', severity: 'warning', message: 'It is: wrong', path: [] });
		assert.deepEqual(matchLine(line), [path.join('suites', 'a b.suite.json'), '3', '5', 'warning', 'It is: wrong']);
	});

	it('matches a failed check that is indented under its case', () => {
		assert.deepEqual(matchLine(`    ${formatPosition(place)}: says what was expected`), [
			'suites/a b.suite.json',
			'3',
			undefined,
			undefined,
			'says what was expected',
		]);
	});

	it('matches nothing in a passed case', () => {
		assert.equal(matchLine('✔ a case at 12:30: fine'), null);
	});
});
