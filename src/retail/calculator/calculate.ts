import { roundToCents } from '../money.js';
import {
  add,
  CalculationFault,
  divide,
  floorDivide,
  multiply,
  type Numeric,
  negate,
  power,
  subtract,
  toDouble,
} from './arithmetic.js';

/**
 * The value of an expression of + - * / // ** ( ) and decimal numbers, rounded to cents.
 *
 * The reference hands the text to its language's evaluator; here a recursive-descent parser of the same dialect does
 * it, in time and memory bounded by the length of the text. Whole numbers may not start with a zero ("007"), as there.
 */
const MAX_LENGTH = 4_000;
const MAX_DEPTH = 200;

export type Calculation = { readonly value: number } | { readonly fault: string };

type Operator = '+' | '-' | '*' | '/' | '//' | '**' | '(' | ')';
type Token = Operator | Numeric;

const TOKEN = /\s*(?:(\d+\.\d*|\.\d+|\d+)|(\*\*|\/\/|[-+*/()]))/y;

function readNumber(text: string): Numeric {
  if (text.includes('.')) return Number(text);
  if (/^0+[1-9]/.test(text)) throw new CalculationFault(`"${text}" starts with a zero`);
  return BigInt(text);
}

function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const place = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new CalculationFault(
        `"${text.slice(place, place + 10)}" cannot be read as a number or an operator`,
      );
    tokens.push(match[1] === undefined ? (match[2] as Operator) : readNumber(match[1]));
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #place = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Numeric {
    const value = this.#sum();
    if (this.#place < this.#tokens.length) throw this.#unexpected();
    return value;
  }

  #take(...operators: readonly Operator[]): Operator | undefined {
    const found = operators.find((operator) => this.#tokens[this.#place] === operator);
    if (found !== undefined) this.#place += 1;
    return found;
  }

  #unexpected(): CalculationFault {
    const token = this.#tokens[this.#place];
    return new CalculationFault(
      token === undefined
        ? 'it ends where a number should follow'
        : `"${token}" does not belong where it stands`,
    );
  }

  #sum(): Numeric {
    let value = this.#product();
    for (;;) {
      const operator = this.#take('+', '-');
      if (operator === undefined) return value;
      const right = this.#product();
      value = operator === '+' ? add(value, right) : subtract(value, right);
    }
  }

  #product(): Numeric {
    let value = this.#signed();
    for (;;) {
      const operator = this.#take('*', '/', '//');
      if (operator === undefined) return value;
      const right = this.#signed();
      if (operator === '*') value = multiply(value, right);
      else value = operator === '/' ? divide(value, right) : floorDivide(value, right);
    }
  }

  /** Signs bind weaker than `**` on their right: -2**2 is -4. */
  #signed(): Numeric {
    let negative = false;
    for (;;) {
      const sign = this.#take('+', '-');
      if (sign === undefined) break;
      if (sign === '-') negative = !negative;
    }
    const base = this.#atom();
    const value =
      this.#take('**') === undefined
        ? base
        : power(
            base,
            this.#nested(() => this.#signed()),
          );
    return negative ? negate(value) : value;
  }

  #atom(): Numeric {
    const token = this.#tokens[this.#place];
    if (typeof token === 'bigint' || typeof token === 'number') {
      this.#place += 1;
      return token;
    }
    if (this.#take('(') === undefined) throw this.#unexpected();
    const value = this.#nested(() => this.#sum());
    if (this.#take(')') === undefined) {
      if (this.#place < this.#tokens.length) throw this.#unexpected();
      throw new CalculationFault('a "(" is never closed');
    }
    return value;
  }

  #nested(read: () => Numeric): Numeric {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new CalculationFault(`it nests deeper than ${MAX_DEPTH} levels`);
    const value = read();
    this.#depth -= 1;
    return value;
  }
}

export function calculate(expression: string): Calculation {
  if (expression.length > MAX_LENGTH)
    return { fault: `it has ${expression.length} characters, and at most ${MAX_LENGTH} are read` };
  const foreign = /[^0-9+\-*/(). ]/u.exec(expression);
  if (foreign !== null)
    return {
      fault: `${JSON.stringify(foreign[0])} is not a digit, a decimal point, a space or one of + - * / ( )`,
    };
  try {
    return { value: roundToCents(toDouble(new Parser(tokenize(expression)).parse())) };
  } catch (error) {
    if (error instanceof CalculationFault) return { fault: error.message };
    throw error;
  }
}
