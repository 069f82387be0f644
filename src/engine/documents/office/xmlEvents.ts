import { Parser } from 'htmlparser2';
import { NodeError } from '../../nodes/nodeError.ts';
import { decodeText } from '../textDecoding.ts';

/** Maximum nesting depth. The parser searches all open elements for every tag. */
const maxDepth = 2000;

export type XmlAttributes = Readonly<Record<string, string>>;

/** Handlers for the events of an XML file. Names have no prefix: `p` for `<w:p>`. */
export interface XmlHandlers {
	openElement?(name: string, attributes: XmlAttributes): void;
	close?(name: string): void;
	addText?(text: string): void;
}

/**
 * Emits the elements and text of an XML file in order. Reads as much of a damaged file as possible. Doesn't expand entities that the file
 * declares, because they could multiply. @throws {NodeError} if elements are nested too deeply
 */
export function readXml(xml: Uint8Array, handlers: XmlHandlers): void {
	let depth = 0;
	const parser = new Parser(
		{
			onopentag(name, attributes) {
				if (++depth > maxDepth) {
					throw new NodeError(`The document has more than ${maxDepth} levels of nested elements`, 'TextExtractionError');
				}
				handlers.openElement?.(stripPrefix(name), attributes);
			},
			onclosetag(name) {
				depth--;
				handlers.close?.(stripPrefix(name));
			},
			ontext: text => handlers.addText?.(text),
		},
		{ xmlMode: true, decodeEntities: true },
	);
	parser.end(decodeText(xml, ''));
}

/** Returns the attribute with a prefix and this name, such as `r:id`. */
export function getPrefixedAttribute(attributes: XmlAttributes, name: string): string | undefined {
	const prefixed = Object.keys(attributes).find(each => each.endsWith(`:${name}`));
	return prefixed === undefined ? undefined : attributes[prefixed];
}

function stripPrefix(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}
