import { isRecord } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';
import type { ImportedSuite, ImportTarget } from '../importedSuite.ts';
import { findLocalValue, ImportFault, type ImportReading, mostCases } from '../importReading.ts';
import { NameList } from '../uniqueNames.ts';
import type { ForeignRow } from './foreignRows.ts';

type Row = Readonly<Record<string, unknown>>;

/** Column with the name of a test case. */
const nameColumn = '$name';
/** Column with several accepted outputs. */
const acceptedColumn = '$accepted';
const defaultReply = 1024;

/**
 * Makes a suite with a dataset from the rows of another tool: a message or the inputs of an agent, and the output that is expected. Throws
 * an {@link ImportFault} if no row can be imported.
 */
export function importRows(rows: Iterable<ForeignRow>, target: ImportTarget, reading: ImportReading): ImportedSuite {
	const names = new NameList();
	const columns = new Set<string>();
	const read: Row[] = [];
	for (const row of rows) {
		const inputs = target.agent === undefined ? createMessages(row.input) : createInputs(row.input);
		const local = findLocalValue(inputs);
		if (!inputs || local !== undefined) {
			reading.report(
				row.place,
				local === undefined
					? reading.t("The row isn't imported. Expected a text, messages or named inputs.")
					: reading.t("The row isn't imported. A suite would replace '{0}' by a value of this machine.", local),
			);
			continue;
		}
		const name = names.createName(cutText(row.id ?? `row ${read.length + 1}`, 200));
		const cells = { [nameColumn]: name, ...inputs, ...createExpected(row, target, reading) };
		if (read.length >= mostCases || !reading.spend(200 + JSON.stringify(cells).length)) {
			reading.report(
				row.place,
				reading.t('No more tests are imported. Maximum number of test cases: {0}. Their size is limited too.', mostCases),
			);
			break;
		}
		for (const column of Object.keys(inputs)) {
			columns.add(column);
		}
		read.push(cells);
	}
	if (read.length === 0) {
		throw new ImportFault(reading.t('The file has no test that can be imported.'));
	}
	// templates need each column in each row
	const empty = Object.fromEntries([...columns].map(column => [column, '']));
	return {
		suite: { ...createTarget(columns, target), dataset: createDataset(columns, read, target) },
		rows: read.map(row => ({ ...empty, ...row })),
		cases: read.length,
		notMapped: reading.notMapped,
		notMappedCount: reading.notMappedCount,
	};
}

function createTarget(columns: ReadonlySet<string>, { agent, model }: ImportTarget): Row {
	if (agent !== undefined) {
		return { model: agent };
	}
	const system = columns.has('system') ? { system: '{{system}}' } : {};
	return { chat: { endpoint: 'messages', model: model ?? '*', max_tokens: defaultReply, ...system, messages: '{{messages}}' } };
}

function createDataset(columns: ReadonlySet<string>, rows: readonly Row[], { agent, output, rowsFile }: ImportTarget): Row {
	const isQuery = agent !== undefined && columns.size === 1 && columns.has('query');
	const accepted = rows.some(row => acceptedColumn in row);
	const list = `row[${JSON.stringify(acceptedColumn)}]`;
	return {
		file: `./${rowsFile}`,
		name: `{{${nameColumn}}}`,
		...(isQuery
			? { inputs: {}, query: '{{query}}' }
			: { inputs: Object.fromEntries([...columns].map(column => [column, `{{${column}}}`])) }),
		...(accepted && { expect: [{ expression: `!${list} || ${list}.includes(outputs[${JSON.stringify(output)}])` }] }),
	};
}

/** Returns the messages of a request: of a text, of messages, or of an object with only one of these. */
function createMessages(input: unknown): Row | undefined {
	const [only, ...others] = isRecord(input) ? Object.values(input) : [input];
	const given = others.length > 0 ? (input as Row)['messages'] : only;
	if (typeof given === 'string') {
		return { messages: [{ role: 'user', content: given }] };
	}
	const list = (Array.isArray(given) ? given : []).map(each => {
		const { role, content } = (isRecord(each) ? each : {}) as { readonly role?: unknown; readonly content?: unknown };
		return { role: role === 'developer' ? 'system' : role, content };
	});
	const isValid =
		list.length > 0 && list.every(({ role, content }) => /^(?:system|user|assistant)$/.test(String(role)) && typeof content === 'string');
	const system = list.filter(({ role }) => role === 'system').map(({ content }) => content);
	return isValid
		? { ...(system.length > 0 && { system: system.join('\n\n') }), messages: list.filter(({ role }) => role !== 'system') }
		: undefined;
}

/** Returns the inputs of an agent, or the message to a chat agent. Names that a template can't contain make the row invalid. */
function createInputs(input: unknown): Row | undefined {
	if (typeof input === 'string') {
		return { query: input };
	}
	return isRecord(input) && Object.keys(input).every(name => /^[^{}$\s][^{}]*$/.test(name) && !name.startsWith('expect:'))
		? input
		: undefined;
}

/** Returns the columns with the expected output. Lists it if it can't be compared. */
function createExpected({ expected, place }: ForeignRow, { agent, output }: ImportTarget, reading: ImportReading): Row {
	if (expected === undefined) {
		return {};
	}
	if (Array.isArray(expected) && expected.length > 0 && expected.every(each => typeof each === 'string')) {
		return expected.length === 1 ? { [`expect:${output}`]: expected[0] } : { [acceptedColumn]: expected };
	}
	if (!isRecord(expected)) {
		return { [`expect:${output}`]: typeof expected === 'object' || agent !== undefined ? expected : String(expected) };
	}
	if (agent !== undefined) {
		return Object.fromEntries(Object.entries(expected).map(([name, value]) => [`expect:${name}`, value]));
	}
	const texts = 'role' in expected ? [expected['content']] : Object.values(expected);
	if (texts.length === 1 && typeof texts[0] === 'string') {
		return { [`expect:${output}`]: texts[0] };
	}
	reading.report(place, reading.t("The expected output isn't mapped. Expected a text."));
	return {};
}
