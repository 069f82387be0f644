import assert from 'node:assert/strict';
import { GivenArguments } from '#cli/arguments/givenArguments.ts';
import { formatCommandHelp, formatProgramHelp } from '#cli/arguments/helpText.ts';
import { commands } from '#cli/arguments/options.ts';

const findCommand = (name: string) => commands.find(command => command.name === name)!;
const parseArguments = (name: string, ...args: string[]) => new GivenArguments(findCommand(name), args);
const getRefusal = (name: string, ...args: string[]): string => {
	try {
		parseArguments(name, ...args);
	} catch (error) {
		assert.equal((error as Error).name, 'CliFault');
		return (error as Error).message;
	}
	throw new Error('expected a refusal');
};

describe('command-line arguments', () => {
	it('are options with values, switches and operands, in any order', () => {
		const args = parseArguments(
			'test',
			'a.suite.json',
			'--junit',
			'out.xml',
			'--bail',
			'--agents=one',
			'--agents',
			'two',
			'b/**',
			'--concurrency=4',
		);
		assert.deepEqual(args.operands, ['a.suite.json', 'b/**']);
		assert.equal(args.getValue('junit'), 'out.xml');
		assert.deepEqual(args.getValues('agents'), ['one', 'two']);
		assert.equal(args.has('bail'), true);
		assert.equal(args.has('json'), false);
		assert.equal(args.getCount('concurrency'), 4);
		assert.equal(parseArguments('test', 'a.suite.json', '--concurrency', '1').getCount('concurrency'), 1);
		assert.equal(args.getCount('repeat'), undefined);
	});

	it('cause an error that suggests the closest option if an option is unknown', () => {
		assert.equal(
			getRefusal('test', '--junti', 'x'),
			'test: unknown option --junti. Did you mean --junit? See agent-workbench test --help.',
		);
		assert.equal(getRefusal('run', 'f', '--zzzzzzzz'), 'run: unknown option --zzzzzzzz. See agent-workbench run --help.');
		assert.match(getRefusal('check', 'a', '-x'), /^check: unknown option -x/);
	});

	it('cause an error that names the expected value of an option', () => {
		assert.match(getRefusal('test', '--junit'), /^--junit: expected FILE after the option/);
		assert.match(
			getRefusal('test', '--junit', '--bail'),
			/^--junit: expected FILE after the option \(use --junit=FILE if it starts with a dash\)\.$/,
		);
		assert.equal(parseArguments('test', '--junit=-odd').getValue('junit'), '-odd');
		assert.equal(getRefusal('test', '--bail=yes'), '--bail: expected no value.');
		for (const value of ['0', '-1', '1.5', 'four', '', '99999999']) {
			assert.throws(() => parseArguments('test', `--concurrency=${value}`).getCount('concurrency'), /expected a whole number from 1/);
		}
	});

	it('cause an error if there are too few or too many operands', () => {
		assert.equal(getRefusal('run'), 'run: expected FILE|AGENT. See agent-workbench run --help.');
		assert.equal(getRefusal('run', 'a', 'b'), "run: unexpected argument 'b'. Expected only FILE|AGENT.");
		assert.equal(getRefusal('serve', 'x'), "serve: unexpected argument 'x'. Expected no arguments.");
		assert.deepEqual(parseArguments('test', '--', '--odd.suite.json').operands, ['--odd.suite.json']);
	});

	it('request help even if required arguments are missing', () => {
		assert.equal(parseArguments('run', '--help').help, true);
		assert.equal(parseArguments('run', '-h').help, true);
	});
});

describe('the command-line help', () => {
	it('lists every command and all of its options', () => {
		for (const command of commands) {
			assert.ok(formatProgramHelp().includes(`  ${command.name} `));
			const help = formatCommandHelp(command);
			for (const { name, value, optional } of command.options) {
				const shown = optional ? `[=${value}]` : value === undefined ? ' ' : ` ${value}`;
				assert.ok(help.includes(`  --${name}${shown}`), `${command.name} --${name}`);
			}
		}
	});
});
