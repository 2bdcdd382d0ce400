import type { ProductSpec } from './product-spec.js';

export const KITCHEN: readonly ProductSpec[] = [
  {
    name: 'Water Bottle',
    basePrice: 14.95,
    options: {
      capacity: { '500 ml': 0, '750 ml': 3.25, '1000 ml': 6.4 },
      color: { blue: 0, green: 0, black: 0, red: 0 },
      material: { plastic: 0, 'stainless steel': 9.7, glass: 7.13 },
    },
  },
  {
    name: 'Electric Kettle',
    basePrice: 39.95,
    options: {
      capacity: { '1 liter': 0, '1.5 liter': 6.25, '2 liter': 11.5 },
      material: { plastic: 0, 'stainless steel': 14.4, glass: 12.18 },
      color: { black: 0, white: 0, silver: 0 },
    },
  },
  {
    name: 'Coffee Maker',
    basePrice: 69.95,
    options: {
      capacity: { '4 cups': 0, '8 cups': 18.3, '12 cups': 29.45 },
      type: { drip: 0, espresso: 74.6, 'pod based': 22.25 },
      color: { black: 0, silver: 5 },
    },
  },
  {
    name: 'Espresso Grinder',
    basePrice: 84.49,
    options: {
      burr: { steel: 0, ceramic: 16.23 },
      drive: { manual: 0, electric: 47.6 },
      color: { black: 0, white: 0, copper: 8.5 },
    },
  },
  {
    name: 'Blender',
    basePrice: 58.95,
    options: {
      speed: { '3 speeds': 0, '6 speeds': 13.5, '10 speeds': 26.34 },
      jar: { plastic: 0, glass: 11.6 },
      color: { black: 0, white: 0, red: 0 },
    },
  },
  {
    name: 'Toaster',
    basePrice: 32.49,
    options: {
      slots: { '2 slots': 0, '4 slots': 21.27 },
      finish: { matte: 0, chrome: 6.5 },
      color: { black: 0, cream: 0, teal: 0 },
    },
  },
  {
    name: 'Frying Pan',
    basePrice: 36.95,
    options: {
      diameter: { '8 inch': 0, '10 inch': 7.5, '12 inch': 15.28 },
      material: { aluminum: 0, 'cast iron': 6.4, copper: 42.15 },
      coating: { nonstick: 4.2, uncoated: 0 },
    },
  },
  {
    name: 'Chef Knife',
    basePrice: 47.95,
    options: {
      'blade length': { '6 inch': 0, '8 inch': 9.4, '10 inch': 17.25 },
      steel: { stainless: 0, carbon: 15.61, damascus: 58.3 },
      handle: { wood: 4.5, plastic: 0 },
    },
  },
  {
    name: 'Cutting Board',
    basePrice: 22.95,
    options: {
      material: { bamboo: 0, maple: 13.5, plastic: 0 },
      size: { small: 0, medium: 5.23, large: 11.4 },
      edge: { 'juice groove': 3, 'plain edge': 0 },
    },
  },
  {
    name: 'Mixing Bowl Set',
    basePrice: 29.49,
    options: {
      pieces: { '3 bowls': 0, '5 bowls': 12.36 },
      material: { glass: 5.5, 'stainless steel': 8.2, melamine: 0 },
      lids: { 'lids included': 6, 'no lids': 0 },
    },
  },
  {
    name: 'Lunch Box',
    basePrice: 18.95,
    options: {
      compartments: { 'one compartment': 0, 'three compartments': 4.31 },
      color: { gray: 0, pink: 0, teal: 0 },
      material: { plastic: 0, 'stainless steel': 10.5 },
    },
  },
  {
    name: 'Tea Set',
    basePrice: 52.25,
    options: {
      material: { porcelain: 0, stoneware: 0, 'cast iron': 18.47 },
      cups: { '2 cups': 0, '4 cups': 14.2, '6 cups': 26.5 },
      color: { white: 0, jade: 0, indigo: 0 },
    },
  },
];
