import { ToolError } from '../errors.js';
import type { Rules } from '../rules.js';
import type { Address } from '../world.js';
import { text } from './arguments.js';
import { findUser } from './find.js';
import { defineTool } from './tool.js';

export const addressArguments = {
  address1: text('First line: number and street, for example "12 Mill Lane"'),
  address2: text('Second line: apartment or suite, for example "Apt 4"; empty if there is none'),
  city: text('City, for example "Boston"'),
  state: text('State as two letters, for example "MA"'),
  country: text('Country, for example "USA"'),
  zip: text('Zip code as text, for example "02139"'),
};

/** The address in a call's arguments. */
export function readAddress(args: Address, rules: Rules): Address {
  const { address1, address2, city, country, state, zip } = args;
  const address = { address1, address2, city, country, state, zip };
  const empty = Object.entries(address).filter(([name, value]) => name !== 'address2' && value.trim() === '');
  if (empty.length > 0 && !rules.allowsEmptyAddress)
    throw new ToolError(
      'invalid-address',
      `an address needs every field but address2; ${empty.map(([name]) => name).join(', ')} came empty. Ask the customer for it`,
    );
  return address;
}

const modifyUserAddress = defineTool({
  name: 'modify_user_address',
  title: "Change a user's address",
  description:
    'Replaces the default address in the profile of a user. Orders keep theirs. Read the new address back and get a clear yes first.',
  kind: 'write',
  arguments: { user_id: text('Id of the user, for example "ada_moreau_1234"'), ...addressArguments },
  run: (view, args) => {
    const record = { ...findUser(view, args.user_id), address: readAddress(args, view.rules) };
    return { value: record, user: { id: args.user_id, record } };
  },
});

export const ADDRESS_TOOLS = [modifyUserAddress];
