import type { Node } from 'jsonc-parser';
import type { TextFault } from '#base/text/textFaults.ts';
import type { Mocks } from '#contract/mocks.ts';

/** What is wrong with a suite, a run file of it or a row of its dataset; one with severity `error` keeps what it is of from being run. */
export interface SuiteFault extends TextFault {
	/** Absolute path of the file that `offset`, `length`, `line` and `column` are of. */
	readonly file: string;
	/** Both from 1; `column` in UTF-16 code units. */
	readonly line: number;
	readonly column: number;
}

/** Where something stands in a file; `offset` and `length` in UTF-16 code units, line and column from 1. */
export interface SuitePlace {
	readonly file: string;
	readonly offset: number;
	readonly length: number;
	readonly line: number;
	readonly column: number;
}

/** What a suite runs: an agent by its name, or a request to an endpoint of text generation. */
export type SuiteTarget =
	| { readonly kind: 'agent'; readonly model: string }
	| { readonly kind: 'chat'; readonly endpoint: ChatEndpoint; readonly model: string; readonly body: Readonly<Record<string, unknown>> };

/** Endpoints of text generation that a suite can ask: C1, D1 and E1 of the contract. */
export type ChatEndpoint = 'messages' | 'completions' | 'content';

/** One expectation as the suite file has it; see `checkSchema` for its fields. Texts of a dataset's checks hold `{{column}}`. */
export interface SuiteCheck {
	/** Fields as they are written. */
	readonly fields: CheckFields;
	readonly kind: CheckKind;
	readonly place: SuitePlace;
}

/** The field of a check that says what it is; a check has exactly one. */
export type CheckKind =
	| 'equals'
	| 'oneOf'
	| 'contains'
	| 'containsAll'
	| 'startsWith'
	| 'endsWith'
	| 'matches'
	| 'schema'
	| 'closeTo'
	| 'similar'
	| 'status'
	| 'error'
	| 'seconds'
	| 'tokens'
	| 'cost'
	| 'steps'
	| 'nodes'
	| 'snapshot'
	| 'expression'
	| 'judge';

/** Fields of a check, as JSON has them. */
export type CheckFields = Readonly<Record<string, unknown>>;

/** A case that is written in the suite, or a run file that it names. */
export interface SuiteCase {
	/** From 0: cases in the order of the file, then the rows of the dataset. Stays the same while the fingerprint does. */
	readonly ordinal: number;
	readonly name: string;
	/** Where it stands: in the suite, or the beginning of the run file. */
	readonly place: SuitePlace;
	/** Absolute path of the run file that it is. */
	readonly runFile?: string;
	readonly target: SuiteTarget;
	readonly user: string | undefined;
	/** The request as an object node of the text, defaults filled in; values that name files or hold placeholders are made when it runs. */
	readonly request: Node;
	readonly mocks: Mocks;
	readonly checks: readonly SuiteCheck[];
}

/** Where the rows of a dataset are read from. */
export interface DatasetFile {
	/** Absolute path as the suite names it; resolved each time it is opened, because a link may have replaced it since the suite was read. */
	readonly file: string;
	/** Folder that the path must not lead out of, links followed. */
	readonly root: string;
	readonly format: DatasetFormat;
}

/** Rows that become cases: their file, and the templates that each row is filled into. */
export interface SuiteDataset extends DatasetFile {
	/** Template of the name of a row. */
	readonly name: string;
	/** Templates of inputs; `undefined`: each column but those of expectations is an input. */
	readonly inputs: Readonly<Record<string, unknown>> | undefined;
	/** Template of the message, to an agent that chats. */
	readonly query: string | undefined;
	/** The defaults of the suite as an object node: what a row has beside its own inputs. */
	readonly defaults: Node;
	readonly mocks: Readonly<Record<string, unknown>>;
	readonly checks: readonly SuiteCheck[];
	readonly place: SuitePlace;
}

export type DatasetFormat = 'csv' | 'tsv' | 'jsonl' | 'json';

/** A suite that was read; what it names exists and fits together as far as that was asked for. */
export interface Suite {
	/** Absolute path of the suite file. */
	readonly file: string;
	/** Folder that no path of the suite leads out of. */
	readonly root: string;
	/** File name without `.suite.json`. */
	readonly name: string;
	/** Changes with the text of the suite, its run files and its dataset: results are taken up again only under the same. */
	readonly fingerprint: string;
	readonly target: SuiteTarget | undefined;
	readonly user: string | undefined;
	readonly cases: readonly SuiteCase[];
	readonly dataset: SuiteDataset | undefined;
	/** Whether replies of models come from the cache of the gateway. */
	readonly cache: boolean;
	/** Times that each case runs. */
	readonly repeat: number;
	/** Share of these times that must pass, from 0 to 1. */
	readonly passRate: number;
	/** Runs at a time, together with all other suites of the connection. */
	readonly concurrency: number;
}

/** What came of reading a suite: with an error among its faults there is no suite, and nothing is run. */
export interface ReadSuite {
	readonly suite: Suite | undefined;
	readonly faults: readonly SuiteFault[];
}
